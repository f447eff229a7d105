import { useSearch } from '@tanstack/react-router'
import { lineAges } from '#contract/bank.ts'
import { suggestions } from '#contract/reconciliation.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import type { WorkPlace } from './queries.ts'

/** Which lines of an account, or of all accounts, the address names. What narrows by age has its own counts, and no suggestion. */
export function useWorkPlace(accountId: string | undefined): WorkPlace {
  const suggestion = useChoice('work', suggestions)
  const age = useChoice('age', lineAges)
  const { currency: given }: { currency?: unknown } = useSearch({ strict: false })
  const currency = typeof given === 'string' && /^[A-Z]{3}$/.test(given) ? given : undefined
  return { accountId, work: (age === undefined && suggestion) || 'todo', age, currency }
}
