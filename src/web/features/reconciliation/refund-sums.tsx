import { useQuery } from '@tanstack/react-query'
import { addAmounts, formatAmount, isZero } from '#web/bank/amounts.ts'
import { accountsQuery } from '#web/bank/queries.ts'

/** What is to be paid back in all, for each currency, whatever the list is searched for. */
export function RefundSums({ accountId }: { accountId: string | undefined }) {
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
