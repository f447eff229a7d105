import { Ban, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { maxOrderNotes, orderStatusLabels, type Order } from '#contract/orders.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { moneyText } from './money.tsx'
import { useOrderChange } from './use-order-change.ts'
import { isOpen, memberName } from './words.ts'

interface StatusDialogProps {
  order: Order
  to: 'paid' | 'cancelled'
  onClose: () => void
}

/** Marks a waiting order paid, with notes, or cancels it for a reason (SPEC sections 4 and 5). */
export default function StatusDialog({ order, to, onClose }: StatusDialogProps) {
  const [notes, setNotes] = useState('')
  const given = notes.trim()
  const change = useOrderChange(order, { status: to, ...(given && { notes: given }) }, onClose)
  const { current } = change
  const canDecide = isOpen(current)
  const isPaying = to === 'paid'
  return (
    <FormDialog
      title={isPaying ? `Mark order #${current.orderNumber} paid?` : `Cancel order #${current.orderNumber}?`}
      description={isPaying ? <Payment order={current} /> : <Cancellation order={current} />}
      action={
        isPaying
          ? { label: 'Mark Paid', icon: CircleCheck, disabled: !canDecide }
          : { label: 'Cancel Order', icon: Ban, tone: 'danger', disabled: !canDecide || !given }
      }
      cancelLabel={isPaying ? 'Cancel' : 'Keep Order'}
      onSubmit={change.apply}
      onClose={onClose}
      pending={change.isPending}
    >
      <Field label={isPaying ? 'Payment notes' : 'Reason'} optional={isPaying} error={change.refusal}>
        {(control) => (
          <Textarea
            {...control}
            value={notes}
            maxLength={maxOrderNotes}
            dir="auto"
            onChange={({ target }) => setNotes(target.value)}
          />
        )}
      </Field>
      <ConflictHelp conflict={change.conflict}>
        {canDecide
          ? `Reloaded. This order still waits for ${moneyText(current)}; you can decide now.`
          : `Reloaded. This order is ${stateOf(current)} already.`}
      </ConflictHelp>
    </FormDialog>
  )
}

/** One whose time is up counts as expired, also while it is not marked yet (PRODUCT 3.13). */
const stateOf = ({ status }: Order) =>
  orderStatusLabels[status === 'waiting_payment' ? 'expired' : status].toLowerCase()

const Payment = ({ order }: { order: Order }) => (
  <>
    {moneyText(order)} from <bdi>{memberName(order)}</bdi> for <bdi>{order.projectName}</bdi> counts as received. This
    can’t be undone.
  </>
)

const Cancellation = ({ order }: { order: Order }) => (
  <>
    <bdi>{memberName(order)}</bdi> can no longer pay {moneyText(order)} for <bdi>{order.projectName}</bdi>. This can’t
    be undone.
  </>
)
