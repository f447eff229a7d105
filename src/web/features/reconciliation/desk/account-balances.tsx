import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankAccount, BankStatement } from '#contract/schemas/bank.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureLine } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { BalancesTable, type BalanceRow } from './balances-table.tsx'

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
      <FailureLine onRetry={() => void refetch()} retrying={isFetching} className="mt-6">
        The statements could not be loaded: {describeError(error)}
      </FailureLine>
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
