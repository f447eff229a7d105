import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { call } from '#web/api.ts'
import { useCan } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { useAttempt } from './use-attempt.ts'

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
