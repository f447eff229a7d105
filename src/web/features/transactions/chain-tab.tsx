import { useQuery } from '@tanstack/react-query'
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
import { CountText, Share } from '#web/ui/figures.tsx'
import { FigureStrip, StripFigure } from '#web/ui/figure-strip.tsx'
import { ChainChips, ChainFilters } from './chain-filters.tsx'
import { monitorColumns } from './chain-columns.tsx'
import { figuresQuery } from './queries.ts'
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
      <Figures />
      <DataTable
        label="Transactions"
        entity="transaction"
        columns={monitorColumns}
        rows={rows}
        peek={({ userId }) => (userId === null ? null : { kind: 'member', id: userId })}
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
    <FigureStrip label="Transaction figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <StripFigure
            name="Total Transactions"
            link={<Link {...paths.transactions()} />}
            figure={show(({ total }) => formatCount(total), 'h-5 w-20')}
            comparison={show(renderFailures, 'h-3 w-20')}
          />
          <StripFigure
            name="Completed"
            link={<Link {...paths.transactions({ status: 'completed' })} />}
            figure={show(({ completed }) => formatCount(completed), 'h-5 w-20')}
            comparison={show(renderShare('completed'), 'h-3 w-24')}
          />
          <StripFigure
            name="Pending"
            link={<Link {...paths.transactions({ status: 'pending' })} />}
            figure={show(({ pending }) => formatCount(pending), 'h-5 w-16')}
            comparison={show(renderShare('pending'), 'h-3 w-24')}
          />
          <StripFigure
            name="Total Volume"
            figure={show(renderLargestVolume, 'h-5 w-28')}
            comparison={show(renderOtherVolumes, 'h-3 w-28')}
          />
        </>
      )}
    </FigureStrip>
  )
}
