import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from '@tanstack/react-router'
import { lineAges } from '#contract/bank.ts'
import { suggestions } from '#contract/bank-allocations.ts'
import { useChoice } from '#web/table/choice-filter.tsx'
import { mostWork, workQuery, workStep, type WorkPlace } from '#web/features/bank/desk/queries.ts'

/** The lines of a filter, and more of them on request. */
export function useWorkList(place: WorkPlace) {
  const [limit, setLimit] = useState(workStep)
  const query = useQuery(workQuery(place, limit))
  const { data, isPlaceholderData } = query
  const total = data?.total ?? 0
  // Rows of the same filter stand while more are fetched.
  const isMore = isPlaceholderData && (data?.lines.length ?? 0) < limit && limit > workStep
  return {
    query,
    lines: data?.lines,
    total,
    isLoadingMore: isMore,
    isPrevious: isPlaceholderData && !isMore,
    more: limit < mostWork && total > limit ? () => setLimit(Math.min(mostWork, limit + workStep)) : undefined,
  }
}

/** Which lines of an account, or of all accounts, the address names. What narrows by age has its own counts, and no suggestion. */
export function useWorkPlace(accountId: string | undefined): WorkPlace {
  const suggestion = useChoice('work', suggestions)
  const age = useChoice('age', lineAges)
  const { currency: given }: { currency?: unknown } = useSearch({ strict: false })
  const currency = typeof given === 'string' && /^[A-Z]{3}$/.test(given) ? given : undefined
  return { accountId, work: (age === undefined && suggestion) || 'todo', age, currency }
}
