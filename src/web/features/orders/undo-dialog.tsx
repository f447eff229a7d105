import { useState } from 'react'
import { maxPartReason, allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
import type { Order } from '#contract/schemas/orders.ts'
import type { OrderPayment } from '#contract/schemas/bank-allocations.ts'
import { ApiError, call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { fetchPayment, refetchPayments } from './queries.ts'

interface UndoDialogProps {
  order: Order
  payment: OrderPayment
  onClose: () => void
}

const failed = 'Failed to undo the payment'

/** By the amount of the line or of the order, whichever is more. */
const useUndoNeed = ({ investmentAmount, currency }: Order, { part, line }: OrderPayment) =>
  useApprovalNeed(
    'undo_payment',
    { amount: line.amount, currency: part.currency },
    ...(currency === part.currency ? [{ amount: investmentAmount, currency }] : []),
  )

/** Takes a payment off an order (product 5.6). A refusal stays to be read, and the reason stays typed. */
export default function UndoDialog({ order, payment, onClose }: UndoDialogProps) {
  const [reason, setReason] = useState('')
  const money = `${formatDecimal(payment.part.amount, 2)} ${payment.part.currency}`
  const change = useChange({
    entity: payment,
    send: ({ part }) => call(allocationRoutes.undo, { params: { id: part.id }, body: { reason: reason.trim() } }),
    fetchFresh: ({ part }, client) => fetchPayment(order.id, part.id, client),
    refetch: refetchPayments,
    success: allocationTexts.undone,
    describe: () => `${money} · ${order.orderNumber}`,
    failure: (error) => (error instanceof ApiError ? describeError(error, failed) : failed),
    onDone: onClose,
  })
  const { part } = change.current
  const isUndone = part.undoneAt !== null
  const need = useUndoNeed(order, change.current)
  const canUndo = !isUndone && part.undoRefusal === null
  return (
    <FormDialog
      title={`Undo ${money}?`}
      description={<UndoConsequence order={order} payment={change.current} />}
      action={need.nameAction({ label: 'Undo Payment', tone: 'danger', disabled: !canUndo || reason.trim() === '' })}
      onSubmit={change.apply}
      onClose={onClose}
      pending={change.isPending}
    >
      <ApprovalNote need={need} />
      <LongTextField
        label="Reason"
        error={change.refusal}
        value={reason}
        maxLength={maxPartReason}
        onType={setReason}
      />
      <ConflictHelp conflict={change.conflict}>
        {canUndo
          ? 'Reloaded. The payment still counts; you can decide now.'
          : isUndone
            ? `Reloaded. This payment was undone by ${part.undoneBy ?? 'somebody'} already.`
            : `Reloaded. ${part.undoRefusal ?? ''}`}
      </ConflictHelp>
    </FormDialog>
  )
}

const UndoConsequence = ({ order, payment: { part, line } }: Pick<UndoDialogProps, 'order' | 'payment'>) => (
  <>
    This takes the money of <bdi>{line.payer.name ?? 'an unnamed payer'}</bdi> off order {order.orderNumber}.
    {part.purpose === 'order' && order.status === 'paid' && order.paidVia === 'bank' && ' It waits for payment again.'}{' '}
    The line of the bank is open again.
  </>
)
