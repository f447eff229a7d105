import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How long a list must stay as it was asked for before its rows are counted further, in milliseconds. */
const restMs = 300

interface ListQuery {
  data: { totalExact?: boolean | undefined } | undefined
  isPlaceholderData: boolean
  refetch: () => Promise<{ isSuccess: boolean }>
}

/** The exact total of a list that was answered before counting ended. Not requested while typing. */
export function useExactTotal<Reply extends { total: number; totalExact?: boolean | undefined }>(
  list: ListQuery,
  query: UseQueryOptions<Reply, Error, Reply, string[]>,
): { exactTotal: number | undefined; refresh: () => Promise<boolean> } {
  const isCounted = list.data?.totalExact !== false
  const queryId = query.queryKey.join('/')
  const [restedId, setRested] = useState<string>()
  useEffect(() => {
    if (isCounted) return
    const timer = setTimeout(() => setRested(queryId), restMs)
    return () => clearTimeout(timer)
  }, [isCounted, queryId])
  const exact = useQuery({ ...query, enabled: !isCounted && !list.isPlaceholderData && restedId === queryId })
  return {
    exactTotal: isCounted || exact.data?.totalExact === false ? undefined : exact.data?.total,
    /** Fetches the list and its total again. Resolves to whether the list has come. */
    refresh: async () => {
      const [page] = await Promise.all([list.refetch(), !isCounted && exact.refetch()])
      return page.isSuccess
    },
  }
}
