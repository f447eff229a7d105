import { SentForApproval } from '#web/api.ts'
import { openApproval } from './open-approval.ts'
import { toast } from '#web/ui/toast.ts'

/** Says that a change waits for an approval, with a button that leads to the request. False where the error says something else. */
export function tellSent(error: unknown): boolean {
  if (!(error instanceof SentForApproval)) return false
  const { id, target } = error.approval
  toast({
    tone: 'success',
    title: error.message,
    description: `${target.name}. Nothing is changed until another operator approves it.`,
    action: { label: 'View', run: () => openApproval(id) },
  })
  return true
}
