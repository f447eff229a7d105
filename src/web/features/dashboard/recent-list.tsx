import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { describeError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'

/** Product 14: the dashboard's lists show 5 items, page 1. */
export const recent = { limit: 5, page: 1 }

const rowLook = 'flex min-h-11 items-center gap-2.5 border-t px-4'

interface RecentListProps<Item> {
  title: string
  /** What the list holds, for the error: "members". */
  what: string
  /** Where "View All" leads, as a link with its words. */
  viewAll: ReactElement
  items: Item[] | undefined
  failure: { error: Error; retry: () => void; isRetrying: boolean } | null
  empty: { icon: LucideIcon; title: string; text: string }
  children: (item: Item) => ReactNode
  className: string
}

/** A card of the newest five. It keeps its height while it loads and when it is empty. */
export function RecentList<Item extends { id: string }>(props: RecentListProps<Item>) {
  const { title, what, viewAll, items, failure, empty, children, className } = props
  const end = (
    <Button asChild variant="ghost" size="small" className="-mr-2.5">
      {viewAll}
    </Button>
  )
  return (
    <Panel title={title} end={end} className={className}>
      {items && items.length > 0 && (
        <ul className="min-h-55">
          {items.map((item) => (
            <li key={item.id} className={`${rowLook} transition-colors hover:bg-hover`}>
              {children(item)}
            </li>
          ))}
        </ul>
      )}
      {items?.length === 0 && (
        <div className="grid min-h-55 content-center border-t">
          <EmptyState icon={empty.icon} title={empty.title}>
            {empty.text}
          </EmptyState>
        </div>
      )}
      {!items && failure && (
        <div className="grid min-h-55 content-center border-t">
          <ErrorState
            title={`The ${what} could not be loaded`}
            message={describeError(failure.error)}
            onRetry={failure.retry}
            retrying={failure.isRetrying}
          />
        </div>
      )}
      {!items && !failure && <LoadingRows />}
    </Panel>
  )
}

const LoadingRows = () => (
  <div>
    <span className="sr-only">Loading...</span>
    {Array.from({ length: recent.limit }, (_, index) => (
      <div key={index} className={rowLook}>
        <Skeleton className="size-7 shrink-0 rounded-full!" />
        <span className="grid flex-1 gap-1.5">
          <Skeleton className="h-3 w-2/5" />
          <Skeleton className="h-3 w-3/5" />
        </span>
        <Skeleton className="h-5.5 w-19 rounded-full!" />
      </div>
    ))}
  </div>
)
