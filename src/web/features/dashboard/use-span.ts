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

const before: Record<Period, { sentence: string; legend: string }> = {
  '7d': { sentence: 'the 7 days before', legend: 'Week before' },
  '30d': { sentence: 'the 30 days before', legend: '30 days before' },
  '3m': { sentence: 'the 3 months before', legend: '3 months before' },
}
const yearBefore = { sentence: 'the same days a year before', legend: 'Year before' }

/** The name of what a period is compared with, in a sentence and in the legend. */
export const nameComparison = ({ period, compare }: { period: Period; compare: Comparison }) =>
  compare === 'year' ? yearBefore : before[period]
