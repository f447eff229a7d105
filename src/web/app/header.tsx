import { Link, useMatches } from '@tanstack/react-router'
import { ChevronRight, Menu, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { pageTitle, type PageTitle } from '#web/lib/page.ts'
import { useStore } from '#web/lib/store.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { LiveDot } from './live-dot.tsx'
import { Notices } from './notices.tsx'
import { places } from './places.ts'
import { isSearchKey } from './search-keys.ts'
import { ThemeToggle } from './theme-toggle.tsx'

/** Fetched beside the page: what nobody uses before the page stands need not hold it up. */
const SearchBox = lazy(() => import('./search-box.tsx'))

/** As large as the box that comes. */
const searchPlace = (
  <span
    aria-hidden
    className="ml-auto h-(--control) w-80 shrink-[999] rounded-m border-border-control max-roomy:w-(--control) roomy:min-w-50 roomy:border"
  />
)
const SearchFailed = ({ onRetry }: { onRetry: () => void }) => (
  <IconButton label="Search" onClick={onRetry} className="ml-auto">
    <Search aria-hidden />
  </IconButton>
)

/** Counts the presses of the search's keys; the box answers them, if need be once it has come. */
function useSearchCalls() {
  const [calls, setCalls] = useState(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      setCalls((count) => count + 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return calls
}

/** What the page calls itself, until then what its route is called. */
function useTitle(route: Partial<PageTitle> | undefined): PageTitle {
  const named = useStore(pageTitle)
  return named ?? { title: route?.title ?? '', ...(route?.parent && { parent: route.parent }) }
}

export function Header({ onMenu }: { onMenu: (button: HTMLElement) => void }) {
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const { title, parent } = useTitle(match?.staticData)
  const calls = useSearchCalls()
  // The way back leads to the list as it was left: its search, filter and page.
  const [lists] = useState(() => new Map<string, Record<string, unknown>>())
  if (match && !match.staticData.parent) lists.set(match.pathname, match.search)
  useEffect(() => {
    document.title = title ? `${title} · Back Office` : 'Back Office'
  }, [title])
  return (
    <header className="gutter relative flex min-w-0 items-center gap-3 border-b max-md:gap-0.5">
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
      <h1 title={title} dir="auto" className="min-w-0 truncate text-left text-16 font-semibold max-md:flex-1">
        {title}
      </h1>
      <LiveDot />
      <Lazily fallback={searchPlace} failed={SearchFailed}>
        <SearchBox screens={places} calls={calls} />
      </Lazily>
      <ThemeToggle />
      <Notices />
    </header>
  )
}
