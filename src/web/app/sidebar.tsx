import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { settings } from '#web/lib/settings.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { Account } from './account.tsx'
import { useScreens } from './use-screens.ts'

interface SidebarProps {
  /** Folds to icons below 1366 px. A name then appears beside its icon; screen readers always get it. */
  foldable?: boolean
  /** Called when a screen was chosen. */
  onChoose?: () => void
}

export function Sidebar({ foldable = false, onChoose }: SidebarProps) {
  const label = cn(foldable && 'max-unfolded:sr-only')
  const screens = useScreens()
  return (
    <>
      <div
        className={cn(
          'flex h-(--header) shrink-0 items-center gap-2.5 px-4 font-semibold tracking-[-0.01em]',
          foldable && 'max-unfolded:justify-center max-unfolded:px-0',
        )}
      >
        <BrandMark />
        <span className={label}>Back Office</span>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto p-2">
        {/* In a very low window the rows share its height, so that no screen is out of sight. */}
        <ul
          className={cn(
            'grid gap-px',
            foldable && 'max-unfolded:very-low:h-full max-unfolded:very-low:auto-rows-[minmax(1.5rem,2.25rem)]',
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
                  foldable &&
                    'max-unfolded:h-9 max-unfolded:very-low:h-full max-unfolded:justify-center max-unfolded:px-0',
                )}
              >
                <Icon
                  aria-hidden
                  strokeWidth={1.75}
                  className="size-4 shrink-0 group-aria-[current=page]:text-accent-ink"
                />
                <span className={foldable ? 'max-unfolded:folded-name' : undefined}>{name}</span>
              </Link>
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
        foldable && 'max-unfolded:mx-0 max-unfolded:justify-center',
      )}
    >
      <FlaskConical aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <span className={cn(foldable && 'max-unfolded:sr-only')}>Demo data</span>
    </p>
  )
}
