import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { StateChip } from '#web/ui/state-chip.tsx'
import { formatLag, getAdvice, getStateLook, nodeProblemTexts } from './chain-states.ts'
import { healthQuery } from './queries.ts'

const modeLabels: Record<ChainHealth['mode'], string> = {
  rpc: 'By JSON-RPC nodes',
  embedded: 'The console’s own chain',
  off: 'Off',
}
const serviceLabels: Record<ChainHealth['providers'][number]['serves'], string> = {
  balances: 'balances',
  transfers: 'transfers',
  both: 'balances and transfers',
}

/** How far the chain is read, with advice where the operator should know or do something. */
export function ChainHealthChip() {
  const { data, error, isFetching, refetch } = useQuery(healthQuery())
  const failure = error && <LoadFailure size="row" what="The chain’s health" query={{ error, isFetching, refetch }} />
  return (
    <StateChip label="Chain health" state={data && getStateLook(data)} failure={failure}>
      {data && <Health health={data} />}
    </StateChip>
  )
}

function Health({ health }: { health: ChainHealth }) {
  const { network, headBlock, indexedBlock } = health
  const advice = getAdvice(health)
  const lag = formatLag(health)
  return (
    <>
      <p className="flex flex-wrap gap-x-4 gap-y-1 pb-2">
        {network && <span className="font-medium">{network}</span>}
        {headBlock !== null && <DetailItem name="Head">{formatCount(headBlock)}</DetailItem>}
        {indexedBlock !== null && <DetailItem name="Indexed up to">{formatCount(indexedBlock)}</DetailItem>}
        {lag && <span className="text-quiet">{lag}</span>}
      </p>
      {advice && <p className={cn('pb-2', advice.isBad ? 'text-danger-ink' : 'text-quiet')}>{advice.text}</p>}
      <ChainNodes health={health} />
    </>
  )
}

const DetailItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="whitespace-nowrap">
    <span className="text-quiet">{name}</span> {children}
  </span>
)

/** The chain, and its nodes by host name alone, since the rest of an address may be a key. */
function ChainNodes({ health: { providers, mode, chainId, headAt, checkedAt } }: { health: ChainHealth }) {
  if (providers.length === 0) return null
  const up = providers.filter(({ isUp }) => isUp).length
  return (
    <>
      <div className="border-t">
        <Facts>
          <Fact name="Chain">
            {modeLabels[mode]}, id {chainId}
          </Fact>
          {headAt && (
            <Fact name="Newest block">
              <Instant value={headAt} />
            </Fact>
          )}
          {checkedAt && (
            <Fact name="Last read">
              <Instant value={checkedAt} />
            </Fact>
          )}
          <Fact name="Nodes">
            {formatCount(up)} of {formatCount(providers.length)} up
          </Fact>
        </Facts>
      </div>
      <ul aria-label="Nodes" className="border-t pt-1">
        {providers.map(({ host, isUp, problem, serves: what }) => (
          <li key={host} className="flex items-center justify-between gap-3 py-1.5">
            <span className="min-w-0">
              <span className="block truncate" title={host}>
                {host}
              </span>
              <span className="block text-12 text-quiet">{serviceLabels[what]}</span>
              {problem && <span className="block text-12 text-danger-ink">{nodeProblemTexts[problem]}</span>}
            </span>
            <Badge tone={isUp ? 'success' : 'danger'} icon={isUp ? CircleCheck : CircleX}>
              {isUp ? 'Up' : problem === 'stands_still' ? 'Still' : 'Down'}
            </Badge>
          </li>
        ))}
      </ul>
    </>
  )
}
