import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CaseAttempt } from '#contract/schemas/kyc-webhooks.ts'
import { isUnauthorized, describeError } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { refetchWebhooks } from './queries.ts'

interface Attempt {
  /** Identifies the attempt. While one with this key is running anywhere, no other starts. */
  mutationKey: readonly string[]
  send: (userId: string) => Promise<CaseAttempt>
  /** The toasts' titles (product 9.3): the provider took it, the attempt was made and failed, the call was refused. */
  titles: { taken: string; failed: string; refused: string }
  onTaken?: (userId: string) => void
  /** The failure in the server's words. */
  onFailed?: (message: string) => void
}

/** An attempt to send a member's case to the provider. It ends when log and figures have been refetched. */
export function useAttempt({ mutationKey, send, titles, onTaken, onFailed }: Attempt) {
  const client = useQueryClient()
  const fail = (title: string, description: string) => {
    toast({ tone: 'destructive', title, description })
    onFailed?.(description)
  }
  const attempt = useMutation({
    mutationKey,
    mutationFn: send,
    onSuccess: ({ success, error }, userId) => {
      if (!success) return fail(titles.failed, error ?? 'The KYC provider did not take the case.')
      toast({ tone: 'success', title: titles.taken, description: `The KYC provider has taken the case of ${userId}.` })
      onTaken?.(userId)
    },
    onError: (error) => {
      // The shared handler reports an ended session (product 9.2). No other toast may cover it.
      if (!isUnauthorized(error)) fail(titles.refused, describeError(error))
    },
    onSettled: (_reply, error) => (isUnauthorized(error) ? undefined : refetchWebhooks(client)),
  })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    start: (userId: string) => {
      // The cache knows at once, so that a double click makes one attempt.
      if (client.isMutating({ mutationKey }) === 0) attempt.mutate(userId)
    },
  }
}
