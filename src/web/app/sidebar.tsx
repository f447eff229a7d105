import { Link } from '@tanstack/react-router'
import { cn } from '#web/lib/cn.ts'
import { settings } from '#web/lib/settings.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Account } from './account.tsx'
import { useScreens } from './use-screens.ts'

const DemoMark = lazy(() => import('./demo-mark.tsx'))
const ScreenDetails = lazy(() => import('./screen-details.tsx'))

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
          'flex h-(--header) shrink-0 items-center gap-2.5 px-4 font-semibold',
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
          {screens.map((screen, at) => (
            <ScreenItem
              key={screen.label}
              {...{ screen, foldable, onChoose }}
              startsGroup={at > 0 && screens[at - 1]!.group < screen.group}
            />
          ))}
        </ul>
      </nav>
      {settings.demo && (
        <LazyBoundary fallback={null}>
          <DemoMark foldable={foldable} />
        </LazyBoundary>
      )}
      <Account foldable={foldable} onChoose={onChoose} />
    </>
  )
}

interface ScreenItemProps {
  screen: ReturnType<typeof useScreens>[number]
  /** There is a space above it. */
  startsGroup: boolean
  foldable: boolean
  onChoose: (() => void) | undefined
}

/** A screen with how much waits there, and the saved views of its lists. */
function ScreenItem({ screen: { label, icon: Icon, link }, startsGroup, foldable, onChoose }: ScreenItemProps) {
  return (
    <li className={cn('relative', startsGroup && 'mt-3 very-low:mt-0')}>
      <Link
        {...link}
        activeOptions={{ exact: link.to === '/', includeSearch: false }}
        onClick={onChoose}
        className={cn(
          'group flex h-8 items-center gap-2.5 rounded-m px-2 font-medium text-quiet transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:text-ink max-md:h-10',
          foldable && 'folded:h-9 folded:very-low:h-full folded:justify-center folded:px-0',
        )}
      >
        <Icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 group-aria-[current=page]:text-accent-ink" />
        <span className={foldable ? 'folded:folded-name' : undefined}>{label}</span>
      </Link>
      <LazyBoundary fallback={null}>
        <ScreenDetails path={link.to} {...{ foldable, onChoose }} />
      </LazyBoundary>
    </li>
  )
}
