import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How long a search must stay unchanged before all its hits are counted, in milliseconds. */
const restMs = 300

interface ListQuery {
  data: { totalExact?: boolean | undefined } | undefined
  isPlaceholderData: boolean
}

/** The exact total of a search that was answered before counting ended. Not requested while typing. */
export function useExactTotal<Reply extends { total: number }>(
  list: ListQuery,
  query: UseQueryOptions<Reply, Error, Reply, string[]>,
): { exactTotal: number | undefined; isCounted: boolean; refetch: UseQueryResult['refetch'] } {
  const isCounted = list.data?.totalExact !== false
  const queryId = query.queryKey.join('/')
  const [restedId, setRested] = useState<string>()
  useEffect(() => {
    if (isCounted) return
    const timer = setTimeout(() => setRested(queryId), restMs)
    return () => clearTimeout(timer)
  }, [isCounted, queryId])
  const exact = useQuery({ ...query, enabled: !isCounted && !list.isPlaceholderData && restedId === queryId })
  return { exactTotal: isCounted ? undefined : exact.data?.total, isCounted, refetch: exact.refetch }
}
