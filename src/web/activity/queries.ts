import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { type ActivityKind, activityPage, activityRoutes } from '#contract/activity.ts'
import { noteRoutes } from '#contract/notes.ts'
import { buildQuery } from '#web/api.ts'

/** What the activity is of. */
export interface Subject {
  type: 'user' | 'order'
  id: string
}

export interface ActivityPlace {
  kind?: ActivityKind | undefined
  /** Only what is older than this place of the list. */
  before?: string | undefined
  limit?: number
}

/** The newest entries from a place on. The entries of before stay until the new ones come. */
export const activityQuery = ({ type, id }: Subject, { kind, before, limit = activityPage }: ActivityPlace = {}) => ({
  ...buildQuery(type === 'user' ? activityRoutes.member : activityRoutes.order, {
    params: { id },
    query: { kind, before, ...(limit !== activityPage && { limit: String(limit) }) },
  }),
  placeholderData: keepPreviousData,
})

export const noteVersionsQuery = (id: string) => buildQuery(noteRoutes.versions, { params: { id } })

/** Refetches what shows notes: activity, in which one may stand twice, and lines of the bank. */
export const refetchActivity = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey.includes('activity') || queryKey.includes('versions') || queryKey.includes('lines'),
  })
