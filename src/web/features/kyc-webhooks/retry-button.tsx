import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import type { WebhookLog, CaseAttempt } from '#contract/schemas/kyc-webhooks.ts'
import { call, isUnauthorized, describeError } from '#web/api.ts'
import { useCan } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchWebhooks } from './queries.ts'

const titles = { taken: 'Webhook Retry Succeeded', failed: 'Webhook Retry Failed', refused: 'Retry Failed' }
const send = (userId: string) => call(kycWebhookRoutes.retry, { body: { userId } })

/**
 * Tries a failed attempt again. The same entry in both cards is one retry; its button stays until the outcome is shown,
 * though the server offers none while the retry is under way. `otherwise` stands where no retry is offered.
 */
export function RetryButton({ log, otherwise = null }: { log: WebhookLog; otherwise?: ReactNode }) {
  const { isPending, start } = useAttempt({ mutationKey: ['kyc-webhook-retry', log.id], send, titles })
  const maySend = useCan('messages.send')
  if (!maySend || (!log.canRetry && !isPending)) return otherwise
  return <Retry userId={log.userId} isPending={isPending} onRetry={() => start(log.userId)} />
}

function Retry({ userId, isPending, onRetry }: { userId: string; isPending: boolean; onRetry: () => void }) {
  const place = useFocusAfterRetry()
  return (
    <div ref={place}>
      <ChangeButton size="small" loading={isPending} onClick={onRetry} aria-label={`Retry ${userId}`}>
        <RotateCw aria-hidden />
        Retry
      </ChangeButton>
    </div>
  )
}

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
