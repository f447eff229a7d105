import { Link, useMatches } from '@tanstack/react-router'
import { ChevronRight, Menu } from 'lucide-react'
import { useEffect } from 'react'
import { pageTitle, type PageTitle } from '#web/lib/page.ts'
import { useStore } from '#web/lib/store.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { LiveDot } from './live-dot.tsx'
import { Notices } from './notices.tsx'
import { SearchBox } from './search-box.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

/** What the page calls itself, until then what its route is called. */
function useTitle(): PageTitle {
  const route = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  const named = useStore(pageTitle)
  return named ?? { title: route?.title ?? '', ...(route?.parent && { parent: route.parent }) }
}

export function Header({ onMenu }: { onMenu: () => void }) {
  const { title, parent } = useTitle()
  useEffect(() => {
    document.title = title ? `${title} · Back Office` : 'Back Office'
  }, [title])
  return (
    <header className="gutter relative flex min-w-0 items-center gap-3 border-b max-md:gap-0.5">
      <IconButton label="Open menu" aria-haspopup="dialog" onClick={onMenu} className="-ml-2 md:hidden">
        <Menu aria-hidden />
      </IconButton>
      {parent && (
        <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1.5 text-13 text-quiet max-md:hidden">
          <Link to={parent.to} activeOptions={{ exact: true }} className="hover:text-ink">
            {parent.label}
          </Link>
          <ChevronRight aria-hidden className="-mr-1.5 size-3.5" />
        </nav>
      )}
      <h1 title={title} className="min-w-0 truncate text-16 font-semibold max-md:flex-1">
        <bdi>{title}</bdi>
      </h1>
      <LiveDot />
      <SearchBox />
      <ThemeToggle />
      <Notices />
    </header>
  )
}
