import { Undo2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { maxAllocationReason, refundCauseLabels, refundCauses, type RefundCause } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate, CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { describeOrder, findOrderId, listCandidateOrders } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { ReasonChoice } from '#web/features/bank/desk/line/reason-field.tsx'
import { type Apply, useLineNeed } from '#web/features/bank/desk/line/use-apply.ts'

interface RefundDialogProps {
  line: BankLine
  /** What of the line is open; all of it is to be paid back. */
  open: string
  /** Orders that the money may have been meant for. */
  candidates: readonly Candidate[]
  chosen: Candidate | undefined
  suggestedCause: RefundCause
  apply: Apply
  onClose: () => void
}

/** Each order once. */
const listOrders = (candidates: readonly Candidate[]) => [
  ...new Map(candidates.flatMap(listCandidateOrders).map((order) => [order.id, order])).values(),
]

/** Sets a line's money aside to be paid back, with the cause, and the order that it was meant for. */
export default function RefundDialog({
  line,
  open,
  candidates,
  chosen,
  suggestedCause,
  apply,
  onClose,
}: RefundDialogProps) {
  const [cause, setCause] = useState(suggestedCause)
  const [orderId, setOrderId] = useState(findOrderId(chosen) ?? '')
  const [reason, setReason] = useState('')
  const orders = listOrders(candidates)
  const needsReason = cause === 'other'
  const need = useLineNeed(line)
  const submit = () =>
    apply.send([{ purpose: 'refund', amount: open, cause, ...(orderId !== '' && { orderId }) }], reason.trim() || null)
  return (
    <FormDialog
      title={`Pay back ${formatAmount(open)} ${line.currency}?`}
      description={<Payee line={line} />}
      action={need.nameAction({
        label: 'Mark for Refund',
        icon: Undo2,
        disabled: apply.mustReload || (needsReason && !reason.trim()),
      })}
      onSubmit={submit}
      onClose={onClose}
      pending={apply.isPending}
      refusal={apply.refusal}
    >
      <ApprovalNote need={need} />
      <div className="space-y-4">
        <CauseField cause={cause} onChange={setCause} />
        <MeantFor orders={orders} chosen={orderId} onChoose={setOrderId} />
        <LongTextField
          label="Reason"
          optional={!needsReason}
          name="reason"
          rows={2}
          maxLength={maxAllocationReason}
          value={reason}
          onType={setReason}
        />
        {needsReason && (
          <ReasonChoice subject="refund" reason={reason} onChange={setReason} isDisabled={apply.isPending} />
        )}
      </div>
      <ConflictHelp conflict={apply.conflict}>Reloaded. You can decide now.</ConflictHelp>
    </FormDialog>
  )
}

/** To whom it goes back. */
const Payee = ({ line: { payer } }: { line: BankLine }) => (
  <>
    To <bdi>{payer.name ?? 'the payer'}</bdi>
    {payer.account && (
      <>
        , <bdi className="tabular-nums">{formatAccountNumber(payer.account)}</bdi>
      </>
    )}
    . The money is set aside until the bank’s payment comes in with a statement.
  </>
)

/** Enter in a closed list does nothing by itself. Here it confirms, as in a field with text. */
function submitOnEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.repeat) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

const CauseField = ({ cause, onChange }: { cause: RefundCause; onChange: (cause: RefundCause) => void }) => (
  <SelectField
    label="Cause"
    hint={cause === 'other' ? 'Say below what it is. That stays with the line; the platform hears “other”.' : null}
    options={refundCauses.map((value) => ({ value, label: refundCauseLabels[value] }))}
    value={cause}
    onChoose={(value) => onChange(value as RefundCause)}
    onKeyDown={submitOnEnter}
  />
)

interface MeantForProps {
  orders: readonly CandidateOrder[]
  chosen: string
  onChoose: (orderId: string) => void
}

const MeantFor = ({ orders, chosen, onChoose }: MeantForProps) =>
  orders.length > 0 && (
    <SelectField
      label="Meant for"
      hint="The platform is told that the payment of this order goes back."
      options={[
        { value: '', label: 'No order' },
        ...orders.map((order) => ({ value: order.id, label: describeOrder(order) })),
      ]}
      value={chosen}
      onChoose={onChoose}
      onKeyDown={submitOnEnter}
    />
  )
