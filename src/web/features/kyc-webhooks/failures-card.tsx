import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Webhook } from 'lucide-react'
import type { WebhookLog, WebhookStats } from '#contract/schemas/kyc-webhooks.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Member, describeTry } from './parts.tsx'
import { statsQuery } from './queries.ts'
import { RetryButton } from './retry-button.tsx'

const rowLook = 'border-t px-4 py-2.5 text-13 leading-4.5'

/** The newest failed attempts (product 5.11). */
export function FailuresCard({ className }: { className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(statsQuery())
  return (
    <Panel title="Recent Failures" className={className}>
      {data && data.recentFailures.length > 0 && (
        <ul>
          {data.recentFailures.map((log) => (
            <li key={log.id} className={rowLook}>
              <Failure log={log} />
            </li>
          ))}
        </ul>
      )}
      {data?.recentFailures.length === 0 && <NoFailures stats={data} />}
      {!data && isError && (
        <LoadFailure what="The failures" query={{ error, isFetching, refetch }} className="border-t" />
      )}
      {!data && !isError && <LoadingRows />}
    </Panel>
  )
}

const Failure = ({ log }: { log: WebhookLog }) => (
  <div className="flex items-center gap-3">
    <div className="min-w-0 flex-1">
      <div className="flex items-baseline gap-2">
        <Member userId={log.userId} />
        <span className="shrink-0 text-12 text-quiet">{describeTry(log)}</span>
      </div>
      <bdi className="block text-left text-12 break-words text-danger-ink">
        {log.errorMessage ?? 'The provider did not take the case'}
      </bdi>
      <Instant value={log.createdAt} className="text-12 text-quiet" />
    </div>
    <RetryButton log={log} otherwise={!log.nextTryAt && <span className="shrink-0 text-12 text-quiet">retried</span>} />
  </div>
)

const NoFailures = ({ stats: { totalAttempts } }: { stats: WebhookStats }) => (
  <div className="border-t">
    {totalAttempts === 0 ? (
      <EmptyState icon={Webhook} title="No failures">
        Failed attempts appear here and can be retried.
      </EmptyState>
    ) : (
      <EmptyState icon={CircleCheck} title="No failures">
        Every attempt so far has reached the KYC provider.
      </EmptyState>
    )}
  </div>
)

const LoadingRows = () => (
  <div>
    <span className="sr-only">Loading...</span>
    {[1, 2, 3].map((row) => (
      <div key={row} className={rowLook}>
        <span className="grid gap-2 py-1">
          <Skeleton className="h-3 w-2/5" />
          <Skeleton className="h-3 w-4/5" />
          <Skeleton className="h-3 w-3/5" />
        </span>
      </div>
    ))}
  </div>
)
