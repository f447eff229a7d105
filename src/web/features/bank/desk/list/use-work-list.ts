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

interface Line {
  id: string
}
const still = { goneAt: -1, cameId: '' }

/** Above which line one has just gone, or which one has just come. Neither when the lines are others altogether. */
export function useMovedLine(lines: readonly Line[]) {
  const [before, setBefore] = useState(lines)
  const [moved, setMoved] = useState(still)
  if (before !== lines) {
    const findOthers = (all: readonly Line[], known: readonly Line[]) => {
      const ids = new Set(known.map(({ id }) => id))
      return all.filter(({ id }) => !ids.has(id))
    }
    const [gone, came] = [findOthers(before, lines), findOthers(lines, before)]
    setBefore(lines)
    const goneAt = gone.length === 1 ? before.indexOf(gone[0]!) : -1
    if (goneAt >= 0) setMoved(goneAt < lines.length ? { ...still, goneAt } : still)
    else if (gone.length === 0 && came.length === 1) setMoved({ ...still, cameId: came[0]!.id })
  }
  return { ...moved, clear: () => setMoved(still) }
}
