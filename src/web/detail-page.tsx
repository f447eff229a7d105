import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'

interface DetailPageProps<Data> {
  /** "order" */
  entity: string
  query: UseQueryResult<Data>
  /** Shown in place of an error when nothing has the id of the address. */
  unknown: ReactElement | false
  /** The link to the list. */
  back: ReactElement
  /** Has the page's layout, so that nothing moves when the data loads. */
  skeleton: ReactElement
  children: (data: Data, refresh: () => Promise<boolean>) => ReactNode
}

/** The page of one entity: its data, or that it is loading, unknown or could not be loaded. */
export function DetailPage<Data>({ entity, query, unknown, back, skeleton, children }: DetailPageProps<Data>) {
  const { data, error } = query
  return (
    <div className="gutter max-w-table py-6 max-md:py-4">
      {data && <RefreshFailure what={`This ${entity}`} query={query} className="mb-4" />}
      {data ? (
        children(data, async () => (await query.refetch()).isSuccess)
      ) : error ? (
        <>
          {unknown || <LoadFailure size="page" what={`This ${entity}`} query={query} />}
          <div className="text-center">
            <Button asChild>{back}</Button>
          </div>
        </>
      ) : (
        skeleton
      )}
    </div>
  )
}
