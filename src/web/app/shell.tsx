import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { PeekSlot } from '#web/peek/peek-slot.tsx'
import { findScreenPermissions, useCanView } from '#web/screen-permissions.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { Overlays } from './use-overlays.tsx'
import { useScreens } from './use-screens.ts'

const JobCard = lazy(() => import('#web/features/bulk/job-card.tsx'))
const Drawer = lazy(() => import('./drawer.tsx'))
const NoAccess = lazy(() => import('./no-access.tsx'))

/** The page of the address, where the admin may view it. */
function Page() {
  const address = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  const isVisible = useCanView(address)
  const [permission] = findScreenPermissions(address) ?? []
  const [first] = useScreens()
  if (isVisible || !permission) return <Outlet />
  return (
    <LazyBoundary fallback={null}>
      <NoAccess permission={permission} first={first} />
    </LazyBoundary>
  )
}

/** Moves the focus to a new page where the link that led there is gone, instead of the document's top. */
function useFocusOnNewPage(main: RefObject<HTMLElement | null>) {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          main.current?.focus({ preventScroll: true })
      }),
    [router, main],
  )
}

/** Sidebar, header and the page. It lives as long as the session, and so does the event stream. */
export function Shell() {
  const client = useQueryClient()
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    // Loaded after the page, since updates can wait.
    const following = import('./live.ts').then(({ followLive }) => followLive(client))
    const watching = import('./session-clock.ts').then(({ watchSessionEnd }) => watchSessionEnd(client))
    const refusing = import('./file-drops.ts').then(({ refuseFileDrops }) => refuseFileDrops())
    const timer = setTimeout(() => {
      setSettled(true)
      // Needed when the connection or session is lost.
      Overlays.prefetch()
    }, 1000)
    return () => {
      clearTimeout(timer)
      for (const each of [following, watching, refusing]) void each.then((stop) => stop())
    }
  }, [client])
  const [menuOpener, setMenuOpener] = useState<HTMLElement | null>(null)
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)

  return (
    <div className="grid h-dvh print:block print:h-auto grid-cols-[minmax(0,1fr)] md:grid-cols-[var(--sidebar-folded)_minmax(0,1fr)] unfolded:grid-cols-[var(--sidebar)_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus-visible:not-sr-only focus-visible:absolute! focus-visible:top-2 focus-visible:left-2 focus-visible:z-30 focus-visible:rounded-m focus-visible:bg-raised focus-visible:px-3! focus-visible:py-2! focus-visible:shadow-float"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the page
      </a>
      <aside aria-label="Sidebar" className="flex min-h-0 flex-col border-r bg-canvas max-md:hidden">
        <Sidebar foldable />
      </aside>
      <div className="grid min-h-0 min-w-0 grid-rows-[minmax(var(--header),auto)_minmax(0,1fr)] bg-surface max-md:has-data-offline:grid-rows-[minmax(calc(var(--header)+1.5rem),auto)_minmax(0,1fr)] print:block">
        <Header onMenu={setMenuOpener} />
        <div className="relative grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] print:block min-[100rem]:has-[>[data-peek]]:grid-cols-[minmax(0,1fr)_520px]">
          <main
            ref={main}
            id="content"
            data-scroll-restoration-id="content"
            tabIndex={-1}
            className="relative min-h-0 overflow-auto outline-none print:overflow-visible"
          >
            <Page />
          </main>
          <PeekSlot />
        </div>
      </div>
      <LazyBoundary fallback={null}>{isSettled && <JobCard />}</LazyBoundary>
      <LazyBoundary fallback={null} onFailure={() => setMenuOpener(null)}>
        {menuOpener && <Drawer opener={menuOpener} onClose={() => setMenuOpener(null)} />}
      </LazyBoundary>
    </div>
  )
}
