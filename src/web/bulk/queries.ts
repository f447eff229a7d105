import { queryOptions } from '@tanstack/react-query'
import { bulkRoutes } from '#contract/bulk.ts'
import type { PrepareBulk } from '#contract/schemas/bulk.ts'
import { call } from '#web/api.ts'

/** Freezes the rows of a job, once for each time that a dialog opens. */
export const preparedQuery = (asked: PrepareBulk, opened: string) =>
  queryOptions({
    queryKey: ['bulk prepared', opened],
    queryFn: () => call(bulkRoutes.prepare, { body: asked }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
