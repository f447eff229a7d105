import { useQuery } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { chainRoutes, type IndexerState } from '#contract/chain.ts'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { buildQuery } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { messagesQuery } from './queries.ts'

const look = 'hit-area font-medium text-ink link-subject'

/** Whether the chain is read and messages arrive, each figure with the way to its screen (product 5.1). */
export function Health({ title, className }: { title: string; className: string }) {
  const mayViewChain = useCan('transactions.view')
  const mayViewMessages = useCan('messages.view')
  if (!mayViewChain && !mayViewMessages) return null
  return (
    <Panel title={title} className={className}>
      <div className="flex flex-1 flex-col gap-5 px-4 pt-1 pb-4">
        {mayViewChain && <Chain />}
        {mayViewMessages && <Messages />}
      </div>
    </Panel>
  )
}

interface PartProps {
  name: string
  query: { data: unknown; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown }
  /** How many rows there will be. */
  rows: number
  children: ReactNode
}

/** One half of the card, which fails alone. */
function Part({ name, query, rows, children }: PartProps) {
  const { data, isError } = query
  return (
    <div>
      <h3 className="mb-1 text-12 font-medium text-quiet">{name}</h3>
      {!data && isError ? (
        <LoadFailure size="row" what={name} query={query} className="py-2 text-12" />
      ) : (
        <dl>
          {data
            ? children
            : Array.from({ length: rows }, (_, index) => (
                <div key={index} className="flex min-h-9 items-center border-t">
                  <Skeleton className="h-4 w-full" />
                </div>
              ))}
        </dl>
      )}
    </div>
  )
}

interface RowProps {
  name: string
  /** The value, and the link to where it leads, without children. */
  value: ReactNode
  link: ReactElement<{ children?: ReactNode }>
  /** What stands beside the value. */
  note?: ReactNode
  isBad?: boolean
}

const Row = ({ name, value, link, note, isBad = false }: RowProps) => (
  <div className="flex min-h-9 items-center gap-3 border-t text-13">
    <dt className="min-w-0 flex-1">{name}</dt>
    <dd className="flex items-baseline gap-2 text-right tabular-nums">
      {note && <span className="text-12 text-quiet">{note}</span>}
      <link.type {...link.props} className={cn(look, isBad && 'text-danger-ink!')}>
        {value}
      </link.type>
    </dd>
  </div>
)

const stateWords: Record<IndexerState, string> = {
  off: 'Not read',
  starting: 'Starting',
  ok: 'Up to date',
  behind: 'Catching up',
  retrying: 'Trying again',
  stalled: 'Stalled',
  halted: 'Halted',
}

function Chain() {
  const query = useQuery({ ...buildQuery(chainRoutes.health), staleTime: 0 })
  return (
    <Part name="Chain" query={query} rows={3}>
      {query.data && <ChainRows health={query.data} />}
    </Part>
  )
}

function ChainRows({ health }: { health: ChainHealth }) {
  const { mode, indexer, lagBlocks, lagSeconds, providers } = health
  const up = providers.filter(({ isUp }) => isUp).length
  const link = <Link {...paths.transactions()} />
  const isBad = indexer === 'stalled' || indexer === 'halted'
  return (
    <>
      <Row
        name="Reading transfers"
        value={mode === 'off' ? 'Chain off' : stateWords[indexer]}
        link={link}
        isBad={isBad}
      />
      <Row
        name="Blocks behind"
        value={lagBlocks === null ? 'Not known' : formatCount(lagBlocks)}
        note={!!lagBlocks && lagSeconds !== null && formatDuration(lagSeconds)}
        link={link}
      />
      <Row
        name="Nodes that answer"
        value={providers.length === 0 ? 'None set' : `${up} of ${providers.length}`}
        link={link}
        isBad={up < providers.length}
      />
    </>
  )
}

function Messages() {
  const query = useQuery(messagesQuery())
  const { data } = query
  return (
    <Part name="Messages" query={query} rows={4}>
      {data &&
        (['event', 'case'] as const).map((kind) => {
          const { waiting, failed, oldestSeconds } = data[`${kind}s`]
          const name = kind === 'event' ? 'To the platform' : 'To the KYC provider'
          return [
            <Row
              key={`${kind} waiting`}
              name={`${name}, waiting`}
              value={formatCount(waiting)}
              note={oldestSeconds !== null && `oldest ${formatDuration(oldestSeconds)}`}
              link={<Link {...paths.kycWebhooks({ tab: 'deliveries', kind, status: 'waiting' })} />}
            />,
            <Row
              key={`${kind} failed`}
              name={`${name}, failed`}
              value={formatCount(failed)}
              isBad={failed > 0}
              link={<Link {...paths.kycWebhooks({ tab: 'deliveries', kind, status: 'failed' })} />}
            />,
          ]
        })}
    </Part>
  )
}

const shortUnits = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
]

/** A duration in its largest whole unit: `7 s`, `3 min`, `2 d`. */
function formatDuration(duration: number): string {
  const { unit, seconds } = shortUnits.find((each) => duration >= each.seconds) ?? { unit: 's', seconds: 1 }
  return `${Math.floor(duration / seconds)} ${unit}`
}
