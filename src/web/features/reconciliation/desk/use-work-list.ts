import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mostWork, workQuery, workStep, type WorkPlace } from './queries.ts'

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
