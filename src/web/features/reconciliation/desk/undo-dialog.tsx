import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { maxPartReason, reconciliationTexts } from '#contract/reconciliation.ts'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import { describeChangeFailure, describeChangeRefusal, describeError, isUnauthorized } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { refetchBank } from '#web/bank/queries.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { cn } from '#web/lib/cn.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { describePaidTwice, describeParts, describePurpose, describeRestored, formatPartMoney } from './part-words.ts'
import { lineQuery } from './queries.ts'
import { sendUndo } from './undo-line.ts'
import type { Decision } from './use-apply.ts'

interface UndoDialogProps {
  decision: Decision
  onClose: () => void
  /** The line is work again. */
  onUndone: (lineId: string) => void
}

const describeFailure = (error: unknown) =>
  describeChangeFailure(error, describeError(error, 'Failed to undo the payment'))

const describeOutcome = (parts: readonly BankPart[]) =>
  parts.some(({ purpose }) => purpose === 'order')
    ? 'The line is open again; an order that this money paid waits again, and the platform is told.'
    : 'The line is open again.'

/** Undoes what was decided on a line, with a reason. What comes back with it, and what cannot, is said before. */
export default function UndoDialog({ decision: { lineId, parts }, onClose, onUndone }: UndoDialogProps) {
  const client = useQueryClient()
  const [reason, setReason] = useState('Applied by mistake')
  const undo = useSingleMutation({
    mutationFn: () =>
      sendUndo(
        lineId,
        parts.map(({ id }) => id),
        reason.trim(),
      ),
    onSuccess: async ({ restored }) => {
      const description = [describeParts(parts), ...restored.map(describeRestored)].join('. ')
      toast({ tone: 'success', title: reconciliationTexts.undone, description })
      await refetchBank(client)
      onUndone(lineId)
    },
    onSent: onClose,
    onError: (error) => {
      void refetchBank(client)
      if (isUnauthorized(error)) return
      toast({ tone: 'destructive', title: 'Error', description: describeFailure(error) })
    },
  })
  const line = useQuery(lineQuery(lineId)).data?.line
  const need = useApprovalNeed(line ? 'undo_payment' : null, line)
  const [first] = parts
  return (
    <FormDialog
      title={parts.length === 1 && first ? `Undo ${formatPartMoney(first)}?` : `Undo ${parts.length} parts?`}
      description={<UndoneParts parts={parts} />}
      action={need.nameAction({ label: 'Undo', icon: Undo2, disabled: reason.trim() === '' })}
      onSubmit={() => undo.mutate()}
      onClose={onClose}
      pending={undo.isPending}
    >
      <ApprovalNote need={need} />
      <Field label="Reason" error={undo.error ? describeChangeRefusal(undo.error) : null}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={maxPartReason}
            value={reason}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** What is undone, and what comes back with it. */
const UndoneParts = ({ parts }: { parts: readonly BankPart[] }) => (
  <ul>
    {parts.map((part) => (
      <li key={part.id}>
        {describePurpose(part)}
        {parts.length > 1 && `, ${formatPartMoney(part)}`}
      </li>
    ))}
    <li>{describeOutcome(parts)}</li>
    {parts
      .flatMap(({ restores }) => restores)
      .map((each, at) => (
        <li key={at} className={cn(each.refusal !== null && 'font-medium text-warning-ink')}>
          {describeRestored(each)}.
        </li>
      ))}
    {parts.flatMap(({ paidTwice, order }) =>
      paidTwice.map((each) => (
        <li key={each.lineId} className="font-medium text-warning-ink">
          {describePaidTwice(each, order?.orderNumber ?? 'the order')}.
        </li>
      )),
    )}
  </ul>
)
