import { useQuery } from '@tanstack/react-query'
import { Tags } from 'lucide-react'
import { useMemo } from 'react'
import { bankDirectionLabels, bankDirections, bankLineStateLabels, bankLineStates, bankRoutes } from '#contract/bank.ts'
import { bankLineList } from '#contract/lists.ts'
import { addAmounts, formatAmount, isZero } from '#web/bank/amounts.ts'
import { accountsQuery } from '#web/bank/queries.ts'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { lineColumns } from './line-columns.tsx'
import { refundColumns } from './refund-columns.tsx'

const states = bankLineStates.map((value) => ({ value, label: bankLineStateLabels[value] }))
const directions = bankDirections.map((value) => ({ value, label: bankDirectionLabels[value] }))

interface LinesTabProps {
  /** Undefined: of all accounts. */
  accountId: string | undefined
}

/** The lines that the address bar asks for. */
const useLines = (accountId: string | undefined) =>
  useList(bankLineList, bankRoutes.lines, { adjust: () => ({ accountId }) })

/** The lines of the statements of one account, or of all. */
export function LinesTab({ accountId }: LinesTabProps) {
  const list = useLines(accountId)
  const { state, direction, attention } = list.values
  const areRefunds = attention === 'refund_due'
  const columns = useMemo(
    () => (areRefunds ? refundColumns(accountId === undefined) : lineColumns(accountId === undefined)),
    [accountId, areRefunds],
  )
  return (
    <DataTable
      label="Bank lines"
      entity="line"
      columns={columns}
      rows={list.query.data?.lines}
      rowId={(line) => line.id}
      peek={({ id }) => ({ kind: 'bankLine', id })}
      list={list}
      toolbar={
        <>
          <Exports filter={list.filter} areRefunds={areRefunds} />
          <RefreshButton refresh={list.refresh} done="Bank lines are up to date." />
        </>
      }
      origin="Lines appear here once you import a statement file of the bank."
      // Refunds that are due have one state and one direction.
      filters={
        <>
          {!(areRefunds && state === undefined) && (
            <ChoiceFilter label="State filter" parameter="status" all="All States" options={states} />
          )}
          {!(areRefunds && direction === undefined) && (
            <ChoiceFilter label="Direction filter" parameter="direction" all="In and Out" options={directions} />
          )}
        </>
      }
      chips={areRefunds && <RefundSums accountId={accountId} />}
    />
  )
}

interface ExportsProps {
  filter: ReturnType<typeof useLines>['filter']
  areRefunds: boolean
}

/** The list itself, and the outcome of each payment in its account and days. */
const Exports = ({ filter, areRefunds }: ExportsProps) => (
  <>
    {areRefunds ? (
      <ExportButton name="bankLines" query={{ ...filter, payers: 'shown' }} label="Export with Payees" />
    ) : (
      <ExportButton name="bankLines" query={filter} />
    )}
    <ExportButton
      name="bankAllocations"
      query={{ accountId: filter.accountId, from: filter.from, to: filter.to }}
      label="Export Purposes"
      icon={Tags}
    />
  </>
)

/** What is to be paid back in all, for each currency, whatever the list is searched for. */
function RefundSums({ accountId }: { accountId: string | undefined }) {
  const accounts = useQuery(accountsQuery()).data?.accounts.filter(
    ({ id }) => accountId === undefined || id === accountId,
  )
  const due = (accounts ?? []).filter(({ credits }) => !isZero(credits.refund))
  const currencies = [...new Set(due.map(({ currency }) => currency))].toSorted()
  if (currencies.length === 0) return null
  return (
    <p className="min-w-0 text-13 text-quiet tabular-nums">
      To be paid back{' '}
      {currencies.map((currency, at) => {
        const sums = due.filter((account) => account.currency === currency).map(({ credits }) => credits.refund)
        return (
          <span key={currency}>
            {at > 0 && ', '}
            <b className="whole-number font-semibold text-ink">{formatAmount(addAmounts(...sums))}</b> {currency}
          </span>
        )
      })}
    </p>
  )
}
