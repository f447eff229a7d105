import type { CurrencySum } from '#contract/schemas/analytics.ts'
import { formatDecimal } from '#web/lib/money.ts'

/** Money per currency, never added up: each sum whole, and how many more currencies there are. */
export function CurrencySums({ sums, most }: { sums: readonly CurrencySum[]; most: number }) {
  const more = sums.length - most
  return (
    <span className="flex flex-wrap gap-x-2" title={sums.map(formatSum).join(', ')}>
      {sums.slice(0, most).map((sum) => (
        <span key={sum.currency} className="whole-number">
          {formatSum(sum)}
        </span>
      ))}
      {more > 0 && <span className="whitespace-nowrap">+ {more} more</span>}
    </span>
  )
}

export const formatSum = ({ currency, amount }: CurrencySum): string => `${formatDecimal(amount, 2)} ${currency}`
