import { useQuery } from '@tanstack/react-query'
import type { View } from '#contract/schemas/views.ts'
import { viewLists } from '#contract/views.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { useShownList, viewsQuery } from './queries.ts'

interface SidebarViewsProps {
  /** The screen whose lists' views are shown. */
  path: string
  className?: string | undefined
  onChoose?: (() => void) | undefined
}

/** The saved views of a screen's lists, each with how many rows it has now. */
export default function SidebarViews({ path, className, onChoose }: SidebarViewsProps) {
  const { data } = useQuery(viewsQuery())
  const shown = useShownList()
  const views = data?.views.filter(({ list }) => viewLists[list].path === path) ?? []
  if (views.length === 0) return null
  return (
    <ul aria-label="Saved views" className={cn('mt-px grid grid-cols-[minmax(0,1fr)] gap-px', className)}>
      {views.map((view) => (
        <li key={view.id}>
          <ViewLink
            view={view}
            isCurrent={shown.list === view.list && shown.search === view.search}
            onChoose={onChoose}
          />
        </li>
      ))}
    </ul>
  )
}

interface ViewLinkProps {
  view: View
  isCurrent: boolean
  onChoose: (() => void) | undefined
}

function ViewLink({ view, isCurrent, onChoose }: ViewLinkProps) {
  const { name, list, search, total, totalExact, isOwn, owner } = view
  const { path, tab } = viewLists[list]
  return (
    <Link
      to={path}
      search={{ ...(tab && { tab }), ...Object.fromEntries(new URLSearchParams(search)) }}
      // The router knows neither that a page is not a part of a view, nor that another view is a different place.
      chosen={isCurrent}
      title={isOwn ? name : `${name}, shared by ${owner}`}
      onClick={onChoose}
      className="flex h-7 items-center gap-2 rounded-m pr-2 pl-8.5 text-13 text-quiet transition-colors hover:bg-hover hover:text-ink aria-[current=true]:font-medium aria-[current=true]:text-ink max-md:h-10"
    >
      <bdi className="min-w-0 truncate">{name}</bdi>
      {total !== null && (
        <span className="ml-auto shrink-0 text-12 tabular-nums">
          {formatCount(total)}
          {!totalExact && '+'}
        </span>
      )}
    </Link>
  )
}
