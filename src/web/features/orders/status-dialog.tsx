import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { moveApprovals, type OperatorMove, orderMoves, orderStatusLabels } from '#contract/order-moves.ts'
import { maxOrderNotes } from '#contract/orders.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { useCan } from '#web/use-can.ts'
import { moveLooks } from './move-looks.tsx'
import { OrderChangeNote } from './order-change-note.tsx'
import { paymentsQuery } from './queries.ts'
import { useOrderChange } from './use-order-change.ts'
import { WaitingLines } from '#web/bank/waiting-lines.tsx'
import { describeObstacle, getMember, listMoves } from './order-facts.ts'

interface StatusDialogProps {
  order: Order
  to: OperatorMove
  onClose: () => void
}

/** Makes a move of an order, with what it asks for (product 7.4, 9.5). */
export default function StatusDialog({ order, to, onClose }: StatusDialogProps) {
  const [text, setText] = useState('')
  const given = text.trim()
  const change = useOrderChange(order, { status: to, ...(given && { notes: given }) }, onClose)
  const { current } = change
  const { button, keepButton, notes, question } = orderMoves[to]
  const { icon, tone, consequence, still } = moveLooks[to]
  const obstacle = describeObstacle(current)
  const canDecide = listMoves(current).includes(to) && !obstacle
  const isOptional = notes.refusal === null
  const need = useTargetNeed(
    moveApprovals[to],
    { type: 'order', id: current.id },
    { amount: current.investmentAmount, currency: current.currency },
  )
  return (
    <FormDialog
      title={question(current.orderNumber)}
      description={need.reason === null ? consequence(current) : <>Once it is approved, {consequence(current)}</>}
      action={need.nameAction({
        label: button,
        icon,
        tone,
        disabled: !canDecide || (!isOptional && !given),
      })}
      cancelLabel={keepButton}
      onSubmit={change.apply}
      onClose={onClose}
      pending={change.isPending}
    >
      <TargetNote need={need} />
      <BannedNote member={getMember(current)} className="mb-4" />
      {to === 'paid' && <WaitingMoney order={current} />}
      <OrderChangeNote order={current} isSending={change.isPending} />
      <LongTextField
        label={notes.label}
        optional={isOptional}
        error={change.refusal}
        value={text}
        maxLength={maxOrderNotes}
        onType={setText}
      />
      <ConflictHelp conflict={change.conflict}>
        {canDecide
          ? `Reloaded. This order ${still(current)}; you can decide now.`
          : obstacle && listMoves(current).includes(to)
            ? `Reloaded. ${obstacle}.`
            : `Reloaded. This order is ${describeState(current)} already.`}
      </ConflictHelp>
    </FormDialog>
  )
}

/** Marking paid by hand what a bank line may pay leaves that line as work. */
function WaitingMoney({ order: { id } }: { order: Order }) {
  const canView = useCan('bank.view')
  const { data } = useQuery({ ...paymentsQuery(id), enabled: canView })
  return (
    data && (
      <WaitingLines lines={data.waiting} advice="Apply it instead: then the order is paid by it." className="mb-4" />
    )
  )
}

/** An overdue order counts as expired, also before the job has marked it (product 7.4). */
const describeState = ({ status }: Order) =>
  orderStatusLabels[status === 'waiting_payment' ? 'expired' : status].toLowerCase()
