import { useSearch } from '@tanstack/react-router'
import type { Comparison, Period } from '#contract/analytics.ts'
import { useSearchChange } from '#web/use-search-change.ts'

/** The period and what it is compared with, as the address bar has them (product 4.3); the defaults stand without a parameter. */
export function useSpan() {
  const choose = useSearchChange()
  const { period = '7d', ...search } = useSearch({ from: '/' })
  const compare: Comparison = search['compare'] === 'year' ? 'year' : 'previous'
  return {
    span: { period, compare },
    choosePeriod: (chosen: Period) => choose({ period: chosen === '7d' ? undefined : chosen }),
    chooseComparison: (chosen: Comparison) => choose({ compare: chosen === 'previous' ? undefined : chosen }),
  }
}
