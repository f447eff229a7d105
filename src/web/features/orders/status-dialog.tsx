import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  moveApprovals,
  type OperatorMove,
  orderMoves,
  orderMoveTexts,
  orderStatusLabels,
} from '#contract/order-moves.ts'
import { maxOrderNotes, orderRoutes } from '#contract/orders.ts'
import type { Order, SetOrderStatus } from '#contract/schemas/orders.ts'
import { ApiError, call, describeError } from '#web/api.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { useCan } from '#web/use-can.ts'
import { moveLooks } from './move-looks.tsx'
import { orderQuery, paymentsQuery, refetchOrders } from './queries.ts'
import { WaitingLines } from '#web/bank/waiting-lines.tsx'
import { formatMoney } from './money.tsx'
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
      action={need.nameAction({ label: button, icon, tone, disabled: !canDecide || (!isOptional && !given) })}
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

/**
 * Says that somebody else has changed the order since it was read. Silent during the operator's own change
 * (`isSending`).
 */
function OrderChangeNote({ order, isSending }: { order: Order; isSending: boolean }) {
  const now = useQuery(orderQuery(order.id)).data?.order
  if (!now || now.version <= order.version || now.status === order.status || isSending) return null
  return (
    <Note tone="warning" role="alert" className="mb-4">
      Set to {orderStatusLabels[now.status]} by <bdi>{now.statusChangedBy ?? 'somebody'}</bdi> meanwhile.
    </Note>
  )
}

/** A move of an order, from a dialog. */
const useOrderChange = (order: Order, body: SetOrderStatus, onDone: () => void) =>
  useChange({
    entity: order,
    send: ({ id, version }) => call(orderRoutes.setStatus, { params: { id }, body, ifMatch: version }),
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...orderQuery(id), staleTime: 0 })).order,
    refetch: refetchOrders,
    success: orderMoveTexts.done,
    describe: (reply) =>
      `${reply.order.orderNumber} ${orderStatusLabels[reply.order.status].toLowerCase()} · ${formatMoney(reply.order)}`,
    // The server's message where it gave one (product 9.3, order update).
    failure: (error) =>
      error instanceof ApiError ? describeError(error, orderMoveTexts.failed) : orderMoveTexts.failed,
    onDone,
  })
