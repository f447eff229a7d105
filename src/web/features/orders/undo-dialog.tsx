import { useState } from 'react'
import { maxAllocationReason, allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
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
const useUndoNeed = ({ investmentAmount, currency }: Order, { allocation, line }: OrderPayment) =>
  useApprovalNeed(
    'undo_payment',
    { amount: line.amount, currency: allocation.currency },
    ...(currency === allocation.currency ? [{ amount: investmentAmount, currency }] : []),
  )

/** Takes a payment off an order (product 5.6). A refusal stays to be read, and the reason stays typed. */
export default function UndoDialog({ order, payment, onClose }: UndoDialogProps) {
  const [reason, setReason] = useState('')
  const money = `${formatDecimal(payment.allocation.amount, 2)} ${payment.allocation.currency}`
  const change = useChange({
    entity: payment,
    send: ({ allocation }) =>
      call(allocationRoutes.undo, { params: { id: allocation.id }, body: { reason: reason.trim() } }),
    fetchFresh: ({ allocation }, client) => fetchPayment(order.id, allocation.id, client),
    refetch: refetchPayments,
    success: allocationTexts.undone,
    describe: () => `${money} · ${order.orderNumber}`,
    failure: (error) => (error instanceof ApiError ? describeError(error, failed) : failed),
    onDone: onClose,
  })
  const { allocation } = change.current
  const isUndone = allocation.undoneAt !== null
  const need = useUndoNeed(order, change.current)
  const canUndo = !isUndone && allocation.undoRefusal === null
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
        maxLength={maxAllocationReason}
        onType={setReason}
      />
      <ConflictHelp conflict={change.conflict}>
        {canUndo
          ? 'Reloaded. The payment still counts; you can decide now.'
          : isUndone
            ? `Reloaded. This payment was undone by ${allocation.undoneBy ?? 'somebody'} already.`
            : `Reloaded. ${allocation.undoRefusal ?? ''}`}
      </ConflictHelp>
    </FormDialog>
  )
}

const UndoConsequence = ({ order, payment: { allocation, line } }: Pick<UndoDialogProps, 'order' | 'payment'>) => (
  <>
    This takes the money of <bdi>{line.payer.name ?? 'an unnamed payer'}</bdi> off order {order.orderNumber}.
    {allocation.purpose === 'order' &&
      order.status === 'paid' &&
      order.paidVia === 'bank' &&
      ' It waits for payment again.'}{' '}
    The line of the bank is open again.
  </>
)
