import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { viewLists } from '#contract/views.ts'
import { cn } from '#web/lib/cn.ts'
import { Link } from '#web/link.tsx'
import { useOverflowMark } from '#web/ui/tabs.tsx'
import { accountQuery } from '#web/use-can.ts'
import { useShownList, viewsQuery } from './queries.ts'
import { ViewLink } from './view-link.tsx'

const look = cn(
  'flex h-9.5 max-w-56 shrink-0 items-center gap-1.5 text-13 font-medium text-quiet max-md:h-10',
  'border-b-2 border-transparent transition-colors hover:text-ink',
  'aria-[current=true]:border-accent aria-[current=true]:text-ink',
)

/** The saved views of the list on the screen. The account says whether there are some before they are counted. */
export function ViewTabs() {
  const { list, search } = useShownList()
  const strip = useRef<HTMLElement>(null)
  const account = useQuery({ ...accountQuery, enabled: false }).data
  const { data } = useQuery({ ...viewsQuery(), enabled: list !== null })
  const views = data?.views.filter((view) => view.list === list)
  useOverflowMark(strip)
  if (!list || !(views ? views.length > 0 : account?.viewedLists.includes(list))) return null
  const { path, tab } = viewLists[list]
  return (
    <nav
      ref={strip}
      aria-label="Saved views of this list"
      className="gutter flex gap-5 overflow-x-auto overflow-y-hidden border-b data-overflows:fade-ends print:hidden"
    >
      <Link to={path} search={tab ? { tab } : {}} chosen={search === ''} className={look}>
        All
      </Link>
      {views?.map((view) => (
        <ViewLink key={view.id} view={view} className={look} />
      ))}
    </nav>
  )
}
