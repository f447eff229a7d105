import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import { chainTransactionList } from '#contract/lists.ts'
import type { TransactionFigures } from '#contract/schemas/transactions.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { parseKeyBeginning } from '#contract/whole-key.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FailureLine } from '#web/ui/error-state.tsx'
import { CountText, Figures as FiguresOf, Share } from '#web/ui/figures.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Stat } from '#web/ui/stats.tsx'
import { ChainChips, ChainFilters } from './chain-filters.tsx'
import { monitorColumns } from './chain-columns.tsx'
import { ChainNodes } from './chain-nodes.tsx'
import { formatLag, getAdvice, getStateLook } from './chain-states.ts'
import { figuresQuery, healthQuery } from './queries.ts'
import { LargestVolume, OtherVolumes } from './volumes.tsx'

const needsKey =
  'No data available. Transactions are found by their hash or wallet address, or by at least 6 digits of its beginning.'

/** Every transfer on the chain, with its figures. */
export function ChainTab() {
  const list = useList(chainTransactionList, transactionRoutes.monitor)
  const rows = list.query.data?.transactions
  const { search } = list.state
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(20rem,1fr)] page-scrolls:block print:block">
      <div className="gutter max-w-table pt-4">
        <Figures />
        <ChainHealthStrip />
      </div>
      <DataTable
        label="Transactions"
        entity="transaction"
        columns={monitorColumns}
        rows={rows}
        rowId={(transaction) => transaction.id}
        list={list}
        origin="Transfers appear here as they are read from the chain."
        filters={<ChainFilters values={list.values} />}
        chips={<ChainChips values={list.values} rows={rows} />}
        {...(search && parseKeyBeginning(search) === null && { empty: needsKey })}
        toolbar={<ExportButton name="chainTransactions" query={list.filter} />}
      />
    </div>
  )
}

/** How far the chain is read, in one line, with advice where the operator should know or do something. */
function ChainHealthStrip() {
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
        <Skeleton className="my-1 block h-4 w-80 max-w-full max-phone:h-16.5" />
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

const renderShare = (name: 'completed' | 'pending') => (figures: TransactionFigures) => (
  <Share part={figures[name]} total={figures.total} none="none yet" />
)
const renderFailures = ({ failed }: TransactionFigures) => <CountText count={failed} what="failed" />
const renderLargestVolume = (figures: TransactionFigures) => <LargestVolume figures={figures} />
const renderOtherVolumes = (figures: TransactionFigures) => <OtherVolumes figures={figures} />

/** The four cards, exact over the whole table (product 5.8, 12.4). */
function Figures() {
  const query = useQuery(figuresQuery())
  return (
    <FiguresOf label="Transaction figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <Stat
            name="Total Transactions"
            link={<Link {...paths.transactions()} />}
            figure={show(({ total }) => formatCount(total), 'h-7 w-20')}
            comparison={show(renderFailures, 'h-4 w-20')}
          />
          <Stat
            name="Completed"
            link={<Link {...paths.transactions({ status: 'completed' })} />}
            figure={show(({ completed }) => formatCount(completed), 'h-7 w-20')}
            comparison={show(renderShare('completed'), 'h-4 w-24')}
          />
          <Stat
            name="Pending"
            link={<Link {...paths.transactions({ status: 'pending' })} />}
            figure={show(({ pending }) => formatCount(pending), 'h-7 w-16')}
            comparison={show(renderShare('pending'), 'h-4 w-24')}
          />
          <Stat
            name="Total Volume"
            small
            figure={show(renderLargestVolume, 'h-7 w-28')}
            comparison={show(renderOtherVolumes, 'h-4 w-28')}
          />
        </>
      )}
    </FiguresOf>
  )
}
