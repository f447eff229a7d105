import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { maxAllocationReason, allocationTexts } from '#contract/bank-allocations.ts'
import { describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { countLines } from '#web/bank/words.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatCount } from '#web/lib/money.ts'
import { refetchReads } from '#web/refetch-reads.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.ts'
import { SkippedList } from './skipped-list.tsx'
import { undoLine, type AppliedLine, type Batch } from '#web/features/bank/desk/use-decision-stack.ts'

interface UndoBatchDialogProps {
  batch: Batch
  onClose: () => void
  onUndone: (allocationIds: readonly string[]) => void
}

interface RefusedLine {
  applied: AppliedLine
  message: string
}

/** Undoes each line as by hand. Ends at a failure that says nothing of the line; what is undone by then stays so. */
function useUndoBatch({ batch, onClose, onUndone }: UndoBatchDialogProps) {
  const client = useQueryClient()
  const [left, setLeft] = useState(batch.applied)
  const [kept, setKept] = useState<RefusedLine[] | null>(null)
  const undo = useSingleMutation({
    mutationFn: async (reason: string) => {
      const refused: RefusedLine[] = []
      for (const [at, applied] of left.entries()) {
        const message = await undoLine(applied, reason)
        if (message === null) onUndone(applied.allocationIds)
        else refused.push({ applied, message })
        setLeft([...left.slice(at + 1), ...refused.map((each) => each.applied)])
      }
      return { refused, undone: left.length - refused.length }
    },
    onSuccess: async ({ refused, undone }) => {
      const description = `${countLines(undone)} undone${refused.length > 0 ? `, ${formatCount(refused.length)} not` : ''}`
      toast({ tone: undone > 0 ? 'success' : 'destructive', title: allocationTexts.undone, description })
      await refetchAll()
      if (refused.length === 0) onClose()
      else setKept(refused)
    },
    failure: (error) => describeError(error, 'Failed to undo the payments'),
    onError: () => void refetchAll(),
  })
  const refetchAll = () => {
    void refetchReads(client, '/api/orders')
    return refetchBank(client)
  }
  return { undo, left, kept }
}

/** Undoes what one press has applied, with one reason; stays open to say which lines could not be, and why. */
export default function UndoBatchDialog(props: UndoBatchDialogProps) {
  const { batch, onClose } = props
  const [reason, setReason] = useState('Applied by mistake')
  const { undo, left, kept } = useUndoBatch(props)
  const need = useApprovalNeed('undo_payment', ...batch.applied.map(({ line }) => line))
  if (kept) return <KeptDialog kept={kept} onClose={onClose} />
  const all = batch.applied.length
  return (
    <FormDialog
      title={`Undo ${countLines(all)}?`}
      description="These were applied with one press. Each line is open again; the orders that its money paid wait again, and the platform is told."
      action={need.nameAction({ label: 'Undo', icon: Undo2, disabled: reason.trim() === '' })}
      onSubmit={() => undo.mutate(reason.trim())}
      onClose={onClose}
      pending={undo.isPending}
      refusal={undo.error ? `It broke off with ${countLines(left.length)} left: ${describeError(undo.error)}` : null}
    >
      <ApprovalNote need={need} />
      <TextField
        label="Reason"
        dir="auto"
        maxLength={maxAllocationReason}
        value={reason}
        onFocus={({ target }) => target.select()}
        onType={setReason}
      />
      {undo.isPending && (
        <output className="mt-3 block text-12 text-quiet tabular-nums">
          {countLines(left.length)} left of {formatCount(all)}
        </output>
      )}
    </FormDialog>
  )
}

const KeptDialog = ({ kept, onClose }: { kept: readonly RefusedLine[]; onClose: () => void }) => (
  <Dialog title="Not undone" description="These lines stay as they are." onClose={onClose}>
    <DialogBody>
      <SkippedList skipped={kept.map(({ applied: { line }, message }) => ({ id: line.id, line, message }))} />
    </DialogBody>
    <DialogFooter>
      <Button onClick={onClose}>Close</Button>
    </DialogFooter>
  </Dialog>
)
