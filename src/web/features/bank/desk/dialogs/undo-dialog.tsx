import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { maxAllocationReason, allocationTexts } from '#contract/bank-allocations.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { refetchBank } from '#web/bank/queries.ts'
import { useChange } from '#web/changes/use-change.ts'
import { cn } from '#web/lib/cn.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  describePaidTwice,
  describeAllocations,
  describePurpose,
  describeRestored,
  formatAllocationMoney,
} from '#web/features/bank/desk/line/allocation-words.ts'
import { lineQuery } from '#web/features/bank/desk/queries.ts'
import { sendUndo } from '#web/features/bank/desk/use-decision-stack.ts'
import type { Decision } from '#web/features/bank/desk/line/use-apply.ts'

interface UndoDialogProps {
  decision: Decision
  onClose: () => void
  /** The line is work again. */
  onUndone: (lineId: string) => void
}

const describeOutcome = (allocations: readonly BankAllocation[]) =>
  allocations.some(({ purpose }) => purpose === 'order')
    ? 'The line is open again; an order that this money paid waits again, and the platform is told.'
    : 'The line is open again.'

/** Undoes what was decided on a line, with a reason. What comes back with it, and what cannot, is said before. */
export default function UndoDialog({ decision: { lineId, allocations }, onClose, onUndone }: UndoDialogProps) {
  const [reason, setReason] = useState('Applied by mistake')
  const undo = useChange({
    entity: lineId,
    send: (id) =>
      sendUndo(
        id,
        allocations.map((allocation) => allocation.id),
        reason.trim(),
      ),
    refetch: refetchBank,
    success: allocationTexts.undone,
    describe: ({ restored }) => [describeAllocations(allocations), ...restored.map(describeRestored)].join('. '),
    failure: (error) => describeError(error, 'Failed to undo the payment'),
    onDone: (reply) => (reply ? onUndone(lineId) : onClose()),
  })
  const line = useQuery(lineQuery(lineId)).data?.line
  const need = useApprovalNeed(line ? 'undo_payment' : null, line)
  const [first] = allocations
  return (
    <FormDialog
      title={`Undo ${allocations.length === 1 && first ? formatAllocationMoney(first) : `${allocations.length} parts`}?`}
      description={<UndoneAllocations allocations={allocations} />}
      action={need.nameAction({ label: 'Undo', icon: Undo2, disabled: reason.trim() === '' })}
      {...undo.form}
      refusal={null}
      onClose={onClose}
    >
      <ApprovalNote need={need} />
      <TextField
        label="Reason"
        error={undo.refusal}
        dir="auto"
        maxLength={maxAllocationReason}
        value={reason}
        onFocus={({ target }) => target.select()}
        onType={setReason}
      />
    </FormDialog>
  )
}

/** What is undone, and what comes back with it. */
const UndoneAllocations = ({ allocations }: { allocations: readonly BankAllocation[] }) => (
  <ul>
    {allocations.map((allocation) => (
      <li key={allocation.id}>
        {describePurpose(allocation)}
        {allocations.length > 1 && `, ${formatAllocationMoney(allocation)}`}
      </li>
    ))}
    <li>{describeOutcome(allocations)}</li>
    {allocations
      .flatMap(({ restores }) => restores)
      .map((each, at) => (
        <li key={at} className={cn(each.refusal !== null && 'font-medium text-warning-ink')}>
          {describeRestored(each)}.
        </li>
      ))}
    {allocations.flatMap(({ paidTwice, order }) =>
      paidTwice.map((each) => (
        <li key={each.lineId} className="font-medium text-warning-ink">
          {describePaidTwice(each, order?.orderNumber ?? 'the order')}.
        </li>
      )),
    )}
  </ul>
)
