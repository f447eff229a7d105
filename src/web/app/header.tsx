import { useQuery } from '@tanstack/react-query'
import { Link, useMatches } from '@tanstack/react-router'
import { Bell, ChevronRight, Menu, RefreshCw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { dangerNotices, noticeRoutes } from '#contract/notices.ts'
import { buildQuery } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { pageTitle, type PageTitle } from '#web/lib/page.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { isOutdated } from './live-state.ts'
import { useSearchShortcut } from './search-keys.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import { useScreens } from './use-screens.ts'

const NoticesPopover = lazy(() => import('./notices-popover.tsx'))

/** The button with the number of notices (product 3.6). Pointing at it loads the popover's code. */
function Notices() {
  const [isRequested, setAsked] = useState(false)
  // Fetched once, then at each change that the event stream reports. Never polled (product 8.2).
  const { notices = [], mentions = [] } = useQuery(buildQuery(noticeRoutes.list)).data ?? {}
  const count = notices.length + mentions.length
  const label = count ? `Notifications, ${count} notice${count > 1 ? 's' : ''}` : 'Notifications'
  const icon = (
    <>
      <Bell aria-hidden />
      {count > 0 && (
        <span
          className={cn(
            'notice-count',
            notices.some(({ kind }) => dangerNotices.has(kind))
              ? 'bg-danger-solid text-on-danger'
              : 'bg-accent text-on-accent',
          )}
        >
          {count}
        </span>
      )}
    </>
  )
  const button = (
    <IconButton
      label={label}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onPointerEnter={NoticesPopover.prefetch}
      onFocus={NoticesPopover.prefetch}
    >
      {icon}
    </IconButton>
  )
  if (!isRequested) return button
  return (
    <LazyBoundary fallback={button} onFailure={() => setAsked(false)}>
      <NoticesPopover trigger={<IconButton label={label}>{icon}</IconButton>} />
    </LazyBoundary>
  )
}

/** Beside the page. It shows nothing in the first moment of a visit, and the header keeps its place. */
const LiveDot = lazy(() => import('./live-dot.tsx'))
const LiveDotPlace = () => <output className="shrink-0 max-md:mx-1.5" />

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
  LiveDot.prefetch()
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
      <LazyBoundary fallback={<LiveDotPlace />} failure={LiveDotPlace}>
        <LiveDot />
      </LazyBoundary>
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
