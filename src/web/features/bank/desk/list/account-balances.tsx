import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankAccount, BankStatement } from '#contract/schemas/bank.ts'
import { buildQuery } from '#web/api.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Difference } from '#web/bank/difference.tsx'

/** The server gives so many at once. */
const mostStatements = 1000
/** How many of the latest are shown at first: those of a month. */
const firstShown = 31

const beginsOn = ({ openingOn, closingOn, importedAt }: BankStatement) => openingOn ?? closingOn ?? importedAt
const compareDays = (one: BankStatement, other: BankStatement) =>
  (one.closingOn ?? beginsOn(one)).localeCompare(other.closingOn ?? beginsOn(other)) ||
  beginsOn(one).localeCompare(beginsOn(other)) ||
  (one.number ?? '').localeCompare(other.number ?? '', undefined, { numeric: true })

const toRow = (statement: BankStatement): BalanceRow => ({
  ...statement,
  id: statement.id ?? '',
  difference: statement.contradiction?.difference ?? statement.difference,
  isAccepted: statement.contradiction === null && statement.acceptedDifference !== null,
  name: (
    <>
      {statement.number === null ? `Of ${formatDay(beginsOn(statement).slice(0, 10))}` : <bdi>{statement.number}</bdi>}
      <span className="ml-2 text-12 text-quiet">{statement.kind}</span>
      {statement.isGap && (
        <span className="block text-12 text-danger-ink">
          The one before is missing{statement.jump && !isZero(statement.jump) && `: ${formatAmount(statement.jump)}`}
        </span>
      )}
      {statement.acceptedGap && (
        <span className="block text-12 text-quiet">
          Gap before it accepted by <bdi>{statement.acceptedGap.by}</bdi>
          {statement.jump && `: ${formatAmount(statement.jump)}`}
        </span>
      )}
      {statement.acceptedDifference && (
        <span className="block text-12 text-quiet">
          Difference accepted by <bdi>{statement.acceptedDifference.by}</bdi>
        </span>
      )}
    </>
  ),
})

/** The account's own sum, from its first balance to its last. */
export const toProofRow = ({ id, proof }: BankAccount, name: BalanceRow['name']): BalanceRow | null =>
  proof && { ...proof, id, name }

/** Every statement of an account by its days, as the bank says, over the account's own sum. */
export function AccountBalances({ account }: { account: BankAccount }) {
  const [isWhole, setWhole] = useState(false)
  const query = { accountId: account.id, page: 1, limit: mostStatements }
  const { data, error, isFetching, refetch } = useQuery(buildQuery(bankRoutes.statements, { query }))
  if (!data)
    return error ? (
      <LoadFailure size="row" what="The statements" query={{ error, isFetching, refetch }} className="mt-6" />
    ) : (
      <Skeleton className="mt-6 h-28 max-w-240 rounded-l" />
    )
  const sorted = data.statements.toSorted(compareDays)
  const shown = isWhole ? sorted : sorted.slice(-firstShown)
  const hidden = data.total - shown.length
  return (
    <BalancesTable
      label="Statements"
      of="Statement"
      rows={shown.map(toRow)}
      total={toProofRow(
        account,
        <>
          All statements, each line once
          {account.proof && !isZero(account.proof.accepted) && (
            <span className="block text-12 font-regular text-quiet">
              with {formatAmount(account.proof.accepted)} of accepted gaps and differences
            </span>
          )}
        </>,
      )}
    >
      {hidden > 0 && (
        <p className="flex flex-wrap items-center gap-3 border-t px-4 py-2 text-12 text-quiet">
          {formatCount(hidden)} earlier {hidden === 1 ? 'statement' : 'statements'}
          {!isWhole && (
            <Button size="small" onClick={() => setWhole(true)} className="print:hidden">
              Show All
            </Button>
          )}
        </p>
      )}
    </BalancesTable>
  )
}

/** From one balance to the next, as a statement or a whole account has it. */
interface BalanceRow {
  id: string
  name: ReactNode
  opening: string | null
  openingOn: string | null
  credits: string
  debits: string
  closing: string | null
  closingOn: string | null
  difference: string | null
  /** Somebody has accepted the difference. */
  isAccepted?: boolean
}

interface BalancesTableProps {
  label: string
  /** What the rows are. */
  of: string
  rows: readonly BalanceRow[]
  total?: BalanceRow | null | undefined
  children?: ReactNode
}

/** Opening, money in, money out and closing. On a phone the movements stand under the name. */
export const BalancesTable = ({ label, of, rows, total, children }: BalancesTableProps) => (
  <div className="mt-6 max-w-240 overflow-hidden rounded-l border bg-card text-13">
    <table aria-label={label} className="w-full border-collapse">
      <thead>
        <tr className="border-b text-12 text-quiet *:px-2 *:py-2 *:text-right *:font-medium *:first:pl-4 *:first:text-left *:last:pr-4">
          <th scope="col">{of}</th>
          <th scope="col" className="max-md:hidden">
            Opening
          </th>
          <th scope="col" className="max-md:hidden">
            Money in
          </th>
          <th scope="col" className="max-md:hidden">
            Money out
          </th>
          <th scope="col">Closing</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
      {total && (
        <tfoot>
          <Row row={total} isTotal />
        </tfoot>
      )}
    </table>
    {children}
  </div>
)

const Row = ({ row, isTotal = false }: { row: BalanceRow; isTotal?: boolean }) => (
  <tr
    className={`border-b align-top tabular-nums last:border-b-0 *:px-2 *:py-2.5 *:first:pl-4 *:last:pr-4 ${isTotal ? 'bg-canvas font-semibold' : ''}`}
  >
    <th scope="row" className={`text-left wrap-anywhere ${isTotal ? 'font-semibold' : 'font-regular'}`}>
      {row.name}
      <span className="block text-12 font-regular text-quiet md:hidden">
        {row.opening === null ? 'None' : formatAmount(row.opening)} + {formatAmount(row.credits)} −{' '}
        {formatAmount(row.debits)}
      </span>
    </th>
    <td className="text-right max-md:hidden">
      <Balance amount={row.opening} day={row.openingOn} />
    </td>
    <td className="whole-number text-right max-md:hidden">{formatSigned('+', row.credits)}</td>
    <td className="whole-number text-right max-md:hidden">{formatSigned('−', row.debits)}</td>
    <td className="text-right">
      <Balance amount={row.closing} day={row.closingOn} />
    </td>
    <td className="text-right">
      <Difference difference={row.difference} isAccepted={row.isAccepted ?? false} />
    </td>
  </tr>
)

const Balance = ({ amount, day }: { amount: string | null; day: string | null }) => (
  <>
    <span className="whole-number">{amount === null ? 'None' : formatAmount(amount)}</span>
    {day !== null && <span className="block text-12 font-regular whitespace-nowrap text-quiet">{formatDay(day)}</span>}
  </>
)

/** Nothing has no sign. */
const formatSigned = (sign: '+' | '−', amount: string) => (isZero(amount) ? '' : sign) + formatAmount(amount)
