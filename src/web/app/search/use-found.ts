import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { searchRoutes } from '#contract/search.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { queryOf } from '#web/api.ts'
import { useNewest } from '#web/lib/newest.ts'
import { readRecent } from './recent.ts'

/** None is kept for the next search: what is shown is always asked anew. */
const fresh = { staleTime: 0, gcTime: 0 }

export interface Found {
  reply: SearchReply | undefined
  isWaiting: boolean
  error: Error | null
  retry: () => void
}

/** An answer belongs to its text, so that a late one never stands for a newer text. */
export function useFound(text: string): Found {
  const [asked, setAsked] = useState('')
  const query = useQuery({
    ...queryOf(searchRoutes.search, { query: { q: asked } }),
    ...fresh,
    enabled: asked !== '' && text !== '',
    placeholderData: keepPreviousData,
  })
  const onText = useEffectEvent(useNewest(query.isFetching, setAsked))
  useEffect(() => onText(text), [text])
  const isWaiting = text !== '' && (asked !== text || query.isFetching)
  return {
    reply: text === '' || asked === '' ? undefined : query.data,
    isWaiting,
    error: asked !== '' && !isWaiting ? query.error : null,
    retry: () => void query.refetch(),
  }
}

/** What the operator had open last, as it stands now; asked for while nothing is typed. */
export function useRecent(adminId: string, isWanted: boolean) {
  const [items] = useState(() => readRecent(adminId))
  const idsOf = (wanted: string) =>
    items
      .filter(({ kind }) => kind === wanted)
      .map(({ id }) => id)
      .join(',')
  const { data } = useQuery({
    ...queryOf(searchRoutes.recent, { query: { members: idsOf('member'), orders: idsOf('order') } }),
    ...fresh,
    enabled: isWanted && items.length > 0,
  })
  return { items, reply: isWanted ? data : undefined }
}
