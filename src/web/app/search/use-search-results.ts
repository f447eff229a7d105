import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { searchRoutes } from '#contract/search.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { buildQuery } from '#web/api.ts'
import { useNewestRequest } from '#web/lib/newest-request.ts'
import { readRecent } from './recent.ts'

/** Not cached, so that each search is fetched again. */
const uncached = { staleTime: 0, gcTime: 0 }

export interface SearchResults {
  reply: SearchReply | undefined
  isWaiting: boolean
  error: Error | null
  retry: () => void
}

/** Each answer belongs to its text, so a late one never replaces a newer one. */
export function useSearchResults(text: string): SearchResults {
  const [requestedText, setAsked] = useState('')
  const query = useQuery({
    ...buildQuery(searchRoutes.search, { query: { q: requestedText } }),
    ...uncached,
    enabled: requestedText !== '' && text !== '',
    placeholderData: keepPreviousData,
  })
  const onText = useEffectEvent(useNewestRequest(query.isFetching, setAsked))
  useEffect(() => onText(text), [text])
  const isWaiting = text !== '' && (requestedText !== text || query.isFetching)
  return {
    reply: text === '' || requestedText === '' ? undefined : query.data,
    isWaiting,
    error: requestedText !== '' && !isWaiting ? query.error : null,
    retry: () => void query.refetch(),
  }
}

/** The operator's recent pages with their present data. Fetched while the box is empty. */
export function useRecentItems(adminId: string, isWanted: boolean) {
  const [items] = useState(() => readRecent(adminId))
  const listIds = (wanted: string) =>
    items
      .filter(({ kind }) => kind === wanted)
      .map(({ id }) => id)
      .join(',')
  const { data } = useQuery({
    ...buildQuery(searchRoutes.recent, { query: { members: listIds('member'), orders: listIds('order') } }),
    ...uncached,
    enabled: isWanted && items.length > 0,
  })
  return { items, reply: isWanted ? data : undefined }
}
