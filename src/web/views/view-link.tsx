import { TriangleAlert } from 'lucide-react'
import type { View } from '#contract/schemas/views.ts'
import { viewLists } from '#contract/views.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { useShownList } from './queries.ts'

interface ViewLinkProps {
  view: View
  onChoose?: (() => void) | undefined
  className: string
}

/** The list as a saved view narrows and orders it. */
export function linkToView({ list, search }: View) {
  const { path, tab } = viewLists[list]
  return { to: path, search: { ...(tab && { tab }), ...Object.fromEntries(new URLSearchParams(search)) } }
}

/** Leads to the list as a saved view narrows and orders it, with how many rows it has now. */
export function ViewLink({ view, onChoose, className }: ViewLinkProps) {
  const shown = useShownList()
  const { name, list, search, total, totalExact, isOwn, owner } = view
  return (
    <Link
      {...linkToView(view)}
      // The router knows neither that a page is not a part of a view, nor that another view is a different place.
      chosen={shown.list === list && shown.search === search}
      title={isOwn ? name : `${name}, shared by ${owner}`}
      onClick={onChoose}
      className={className}
    >
      <bdi className="min-w-0 truncate">{name}</bdi>
      <span className="ml-auto shrink-0 text-12 font-regular tabular-nums">
        {total === null ? (
          <>
            <TriangleAlert aria-hidden className="size-3.5 text-warning-ink" />
            <span className="sr-only">One of its filters no longer exists</span>
          </>
        ) : (
          `${formatCount(total)}${totalExact ? '' : '+'}`
        )}
      </span>
    </Link>
  )
}
