import { useQuery } from '@tanstack/react-query'
import { viewLists } from '#contract/views.ts'
import { cn } from '#web/lib/cn.ts'
import { viewsQuery } from './queries.ts'
import { ViewLink } from './view-link.tsx'

interface SidebarViewsProps {
  /** The screen whose lists' views are shown. */
  path: string
  className?: string | undefined
  onChoose?: (() => void) | undefined
}

/** The saved views of a screen's lists. */
export default function SidebarViews({ path, className, onChoose }: SidebarViewsProps) {
  const { data } = useQuery(viewsQuery())
  const views = data?.views.filter(({ list }) => viewLists[list].path === path) ?? []
  if (views.length === 0) return null
  return (
    <ul aria-label="Saved views" className={cn('mt-px grid grid-cols-[minmax(0,1fr)] gap-px', className)}>
      {views.map((view) => (
        <li key={view.id}>
          <ViewLink
            view={view}
            onChoose={onChoose}
            className={cn(
              'flex h-7 items-center gap-2 rounded-m pr-2 pl-8.5 text-13 text-quiet transition-colors max-md:h-10',
              'hover:bg-hover hover:text-ink aria-[current=true]:font-medium aria-[current=true]:text-ink',
            )}
          />
        </li>
      ))}
    </ul>
  )
}
