import { Link, useMatches } from '@tanstack/react-router'
import { ChevronRight, Menu, RefreshCw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { pageTitle, type PageTitle } from '#web/lib/page.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LiveDot } from './live-dot.tsx'
import { isOutdated } from './live-state.ts'
import { Notices } from './notices.tsx'
import { useSearchShortcut } from './search-keys.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import { useScreens } from './use-screens.ts'

/** Loaded beside the page, since nobody searches before the page is there. */
const SearchBox = lazy(() => import('./search-box.tsx'))

/** Looks like the search box while that loads, and opens it when pressed. */
const SearchPlaceholder = ({ onPress }: { onPress: () => void }) => (
  // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys do the same
  <span aria-hidden className="search-place" onPointerDown={onPress}>
    <Search />
    <span>Search users, transactions...</span>
    <kbd>/</kbd>
  </span>
)
const SearchFailure = ({ onRetry }: { onRetry: () => void }) => (
  <IconButton label="Search" onClick={onRetry} className="ml-auto">
    <Search aria-hidden />
  </IconButton>
)

/** The title that the page sets, or its route's title before that. */
function useTitle(route: Partial<PageTitle> | undefined): PageTitle {
  return useStore(pageTitle) ?? { title: '', ...route }
}

export function Header({ onMenu }: { onMenu: (button: HTMLElement) => void }) {
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const { title, parent } = useTitle(match?.staticData)
  const { openSearch, ...requests } = useSearchShortcut()
  const screens = useScreens()
  // The link back restores the list's search, filter and page.
  const [lists] = useState(() => new Map<string, Record<string, unknown>>())
  if (match && !match.staticData.parent) lists.set(match.pathname, match.search)
  useEffect(() => {
    document.title = title ? `${title} · Back Office` : 'Back Office'
  }, [title])
  return (
    <header className="gutter relative flex min-w-0 items-center gap-3 border-b max-md:gap-0.5 max-md:has-data-offline:pb-6">
      <IconButton
        label="Open menu"
        aria-haspopup="dialog"
        onClick={(event) => onMenu(event.currentTarget)}
        className="-ml-2 md:hidden"
      >
        <Menu aria-hidden />
      </IconButton>
      {parent && (
        <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1.5 text-13 text-quiet max-md:hidden">
          <Link
            to={parent.to}
            search={lists.get(parent.to) ?? {}}
            activeOptions={{ exact: true }}
            className="hover:text-ink"
          >
            {parent.label}
          </Link>
          <ChevronRight aria-hidden className="-mr-1.5 size-3.5" />
        </nav>
      )}
      <h1
        title={title}
        dir="auto"
        className="min-w-0 text-left text-16 font-semibold max-md:line-clamp-2 max-md:flex-1 max-md:leading-5 max-md:wrap-anywhere md:truncate"
      >
        {title}
      </h1>
      <LiveDot />
      {useStore(isOutdated) && (
        // The browser asks first where there is unsent input.
        <Button size="small" onClick={() => window.location.reload()}>
          <RefreshCw aria-hidden />
          <span className="max-roomy:sr-only">A new version is there: reload</span>
        </Button>
      )}
      <LazyBoundary fallback={<SearchPlaceholder onPress={openSearch} />} failure={SearchFailure}>
        <SearchBox screens={screens} {...requests} />
      </LazyBoundary>
      <ThemeToggle />
      <Notices />
    </header>
  )
}
