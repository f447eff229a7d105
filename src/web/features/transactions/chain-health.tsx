import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FailureLine } from '#web/ui/error-state.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { ChainNodes } from './chain-nodes.tsx'
import { getAdvice, formatLag, getStateLook } from './chain-states.ts'
import { healthQuery } from './queries.ts'

/** How far the chain is read, in one line, with advice where the operator should know or do something. */
export function ChainHealthStrip() {
  const { data, error, isFetching, refetch } = useQuery(healthQuery())
  return (
    <section
      aria-label="Chain health"
      className="mt-3 rounded-l border bg-card px-3.5 py-2 text-13 tabular-nums wide:px-4"
    >
      {data ? (
        <Health health={data} />
      ) : error ? (
        <FailureLine onRetry={() => void refetch()} retrying={isFetching} className="min-h-6">
          The chain’s health could not be loaded: {describeError(error)}
        </FailureLine>
      ) : (
        <Skeleton className="my-1 block h-4 w-80 max-w-full" />
      )}
    </section>
  )
}

function Health({ health }: { health: ChainHealth }) {
  const { tone, icon, label } = getStateLook(health)
  const { network, headBlock, indexedBlock, checkedAt, indexer } = health
  const advice = getAdvice(health)
  const lag = formatLag(health)
  const isOld = (indexer === 'retrying' || indexer === 'stalled' || indexer === 'halted') && checkedAt !== null
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex items-center gap-2">
        {/* Only the state is announced, since blocks change all the time. */}
        <output>
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        </output>
        {network && <span className="font-medium">{network}</span>}
      </span>
      {headBlock !== null && <DetailItem name="Head">{formatCount(headBlock)}</DetailItem>}
      {indexedBlock !== null && <DetailItem name="Indexed up to">{formatCount(indexedBlock)}</DetailItem>}
      {lag && <span className="text-quiet">{lag}</span>}
      {isOld && (
        <DetailItem name="Last read">
          <Instant value={checkedAt} />
        </DetailItem>
      )}
      {health.providers.length > 0 && <ChainNodes health={health} />}
      {advice && <p className={advice.isBad ? 'w-full pb-1 text-danger-ink' : 'text-quiet'}>{advice.text}</p>}
    </div>
  )
}

const DetailItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="whitespace-nowrap">
    <span className="text-quiet">{name}</span> {children}
  </span>
)
