import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { viewRoutes } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { useNarrowedList } from '#web/views/queries.ts'
import type { List } from './use-list.ts'

const shownSums = 2

/** What the rows of a narrowed list are together, by currency. */
export default function ListSums({ list }: { list: List }) {
  const { query } = list
  const shown = useNarrowedList(list)
  const asked = buildQuery(viewRoutes.sums, { query: shown.query })
  const { data } = useQuery({
    ...asked,
    // Again with each answer of the list.
    queryKey: [...asked.queryKey, String(query.dataUpdatedAt)],
    placeholderData: keepPreviousData,
    enabled: shown.isKnown && query.data !== undefined,
  })
  const sums = data?.sums ?? []
  if (sums.length === 0) return null
  const words = sums.map(({ currency, amount }) => `${formatDecimal(amount, 2)} ${currency ?? ''}`.trim())
  return (
    <p
      title={words.join(', ')}
      aria-label={`Sum: ${words.join(', ')}`}
      className="min-w-0 text-13 text-quiet tabular-nums"
    >
      {sums.slice(0, shownSums).map(({ currency, amount }, at) => (
        <span key={currency} className="whole-number">
          {at > 0 && ', '}
          <b className="font-semibold text-ink">{formatDecimal(amount, 2)}</b> {currency}
        </span>
      ))}
      {sums.length > shownSums && ` + ${sums.length - shownSums} more`}
    </p>
  )
}
