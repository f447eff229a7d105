import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useStore } from '#web/lib/store.ts'
import { peekList } from './peek-list.ts'
import type { PeekTarget } from './peek-target.ts'
import { prefetchPeek, takeFetchedAhead } from './queries.ts'

/** After so long what was fetched ahead counts as opened, and is read again as such. Walking past is quicker. */
const openedAfterMs = 300

interface ShownReply<Reply> {
  id: string
  version: string
  reply: Reply
}

/**
 * Reads the shown record and fetches its neighbours ahead. A change from elsewhere waits for `reload`, so that no
 * button changes under the pointer; `version` tells it from a reply that is the same. Own changes call `refresh`.
 */
export function usePeeked<Reply>(
  { kind, id }: PeekTarget,
  query: UseQueryOptions<Reply, Error, Reply, string[]>,
  version: (reply: Reply) => string,
) {
  const client = useQueryClient()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  })
  const [kept, setKept] = useState<ShownReply<Reply> | null>(null)
  const fresh = data && !isPlaceholderData ? { id, version: version(data), reply: data } : null
  const isChanged = fresh !== null && kept !== null && kept.id === id && kept.version !== fresh.version
  if (fresh && !isChanged && kept?.reply !== fresh.reply) setKept(fresh)

  useEffect(() => {
    if (!fresh) return
    const timer = setTimeout(() => takeFetchedAhead({ kind, id }) && void refetch(), openedAfterMs)
    return () => clearTimeout(timer)
    // A record is opened once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [kind, id, fresh === null])

  const list = useStore(peekList)
  useEffect(() => {
    if (list?.place !== null) for (const target of list?.neighbours ?? []) prefetchPeek(client, target)
    // The list publishes itself at each of its renders.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, id, list?.place])

  return {
    reply: isChanged || !fresh ? (kept?.reply ?? data) : fresh.reply,
    /** What is shown is the record before, until this one has come. */
    isOld: isPlaceholderData,
    error: fresh ? null : error,
    isFetching,
    retry: () => void refetch(),
    isChanged,
    reload: () => setKept(fresh),
    refresh: async () => {
      await client.invalidateQueries({ queryKey: query.queryKey })
      setKept(null)
    },
  }
}
