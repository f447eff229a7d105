import { useSearch } from '@tanstack/react-router'
import type { ListDesign } from '#contract/list.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { FilterChip } from './filter-chip.tsx'

/** The parameters of a range of amounts in the address bar and in calls. */
export const amountParameters = ['currency', 'min', 'max'] as const
export type AmountRange = Record<(typeof amountParameters)[number], string | undefined>

/** An amount as a call takes it: digits with a point. */
export const isAmount = (text: string) => /^\d{1,60}(\.\d{1,18})?$/.test(text)
const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text)

/** The range in the address bar. Where amounts have currencies, bounds without one are not a filter. */
export function useAmounts(kind: ListDesign['amounts']): AmountRange {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const read = (name: string, isOne: (text: string) => boolean) => {
    const text = given[name]
    return typeof text === 'string' && isOne(text) ? text : undefined
  }
  const currency = kind === 'currency' ? read('currency', isCurrency) : undefined
  const isRange = kind === 'plain' || currency !== undefined
  return {
    currency,
    min: isRange ? read('min', isAmount) : undefined,
    max: isRange ? read('max', isAmount) : undefined,
  }
}

/** The range of amounts as a chip. */
export function AmountChip({ amounts: { currency, min, max } }: { amounts: AmountRange }) {
  const bounds = [min && `from ${formatDecimal(min)}`, max && `up to ${formatDecimal(max)}`]
  const label = [...bounds, currency].filter(Boolean).join(' ')
  return (
    label !== '' && (
      <FilterChip name={(min ?? max) ? 'Amount' : 'Currency'} label={label} parameter={amountParameters} />
    )
  )
}
