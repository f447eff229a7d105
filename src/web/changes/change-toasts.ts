import { describeChangeFailure, describeError, isUnauthorized, SentForApproval } from '#web/api.ts'
import { openApproval } from './open-approval.ts'
import { toast } from '#web/ui/toast.ts'

/** What the toast of a failed change says, unless its outcome is unknown. */
export type Failure = string | ((error: unknown) => string)

/** The failure and the server's reason. */
export function describeWithReason(error: unknown, failure: string): string {
  const reason = describeError(error)
  return failure === reason ? failure : `${failure}. ${reason}`
}

/** Says that a change has failed. The shared handler reports an ended session (product 9.2), and no other toast may cover that. */
export function showFailure(error: unknown, failure: Failure, title = 'Error'): void {
  if (isUnauthorized(error)) return
  const description = describeChangeFailure(error, typeof failure === 'string' ? failure : failure(error))
  toast({ tone: 'destructive', title, description })
}

/** Says that a change waits for an approval, with a button that leads to the request. False where the error says something else. */
export function showSentForApproval(error: unknown): boolean {
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
