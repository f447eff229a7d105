import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { settings } from '#web/lib/settings.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Account } from './account.tsx'
import { useScreens } from './use-screens.ts'

const SidebarViews = lazy(() => import('#web/views/sidebar-views.tsx'))

interface SidebarProps {
  /** Folds to icons below 1366 px and beside review mode. A name then shows beside its icon; screen readers always get it. */
  foldable?: boolean
  /** Called when a screen was chosen. */
  onChoose?: () => void
}

export function Sidebar({ foldable = false, onChoose }: SidebarProps) {
  const label = cn(foldable && 'folded:sr-only')
  const screens = useScreens()
  return (
    <>
      <div
        className={cn(
          'flex h-(--header) shrink-0 items-center gap-2.5 px-4 font-semibold tracking-[-0.01em]',
          foldable && 'folded:justify-center folded:px-0',
        )}
      >
        <BrandMark />
        <span className={label}>Back Office</span>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto p-2">
        {/* In a very low window the rows share its height, so that no screen is out of sight. */}
        <ul
          className={cn(
            'grid grid-cols-[minmax(0,1fr)] gap-px',
            foldable && 'folded:very-low:h-full folded:very-low:auto-rows-[minmax(1.5rem,2.25rem)]',
          )}
        >
          {screens.map(({ label: name, icon: Icon, link }) => (
            <li key={name}>
              <Link
                {...link}
                activeOptions={{ exact: link.to === '/', includeSearch: false }}
                onClick={onChoose}
                className={cn(
                  'group flex h-8 items-center gap-2.5 rounded-m px-2 font-medium text-quiet transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:text-ink max-md:h-10',
                  foldable && 'folded:h-9 folded:very-low:h-full folded:justify-center folded:px-0',
                )}
              >
                <Icon
                  aria-hidden
                  strokeWidth={1.75}
                  className="size-4 shrink-0 group-aria-[current=page]:text-accent-ink"
                />
                <span className={foldable ? 'folded:folded-name' : undefined}>{name}</span>
              </Link>
              <LazyBoundary fallback={null}>
                <SidebarViews path={link.to} className={foldable ? 'folded:hidden' : undefined} onChoose={onChoose} />
              </LazyBoundary>
            </li>
          ))}
        </ul>
      </nav>
      {settings.demo && <DemoMark foldable={foldable} />}
      <Account foldable={foldable} onChoose={onChoose} />
    </>
  )
}

function DemoMark({ foldable }: { foldable: boolean }) {
  return (
    <p
      title="Demo data"
      className={cn(
        'mx-4 mb-2 flex items-center gap-1.5 text-12 text-quiet',
        foldable && 'folded:mx-0 folded:justify-center',
      )}
    >
      <FlaskConical aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <span className={cn(foldable && 'folded:sr-only')}>Demo data</span>
    </p>
  )
}
