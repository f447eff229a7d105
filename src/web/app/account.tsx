import { ChevronsUpDown } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'

const AccountMenu = lazy(() => import('./account-menu.tsx'))

interface AccountButtonProps extends ComponentProps<'button'> {
  foldable: boolean
}

/** Product 2.3: a fixed label and caption. */
export function AccountButton({ foldable, ...rest }: AccountButtonProps) {
  return (
    <button
      type="button"
      title="Account menu"
      className={cn(
        'flex w-full shrink-0 items-center gap-2.5 border-t px-4 py-2.5 text-left -outline-offset-2! transition-colors hover:bg-hover',
        foldable && 'max-unfolded:justify-center max-unfolded:px-0',
      )}
      {...rest}
    >
      <Avatar name="Admin User" />
      <span className={cn('min-w-0 flex-1 text-13 font-medium', foldable && 'max-unfolded:sr-only')}>
        Admin User
        <span className="block text-12 font-regular text-quiet">Super Admin</span>
      </span>
      <ChevronsUpDown
        aria-hidden
        strokeWidth={1.75}
        className={cn('size-4 shrink-0 text-quiet', foldable && 'max-unfolded:hidden')}
      />
    </button>
  )
}

/** The button. Pointing at it loads the menu's code. */
export function Account({ foldable }: { foldable: boolean }) {
  const [isRequested, setAsked] = useState(false)
  const button = (
    <AccountButton
      foldable={foldable}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onPointerEnter={AccountMenu.prefetch}
      onFocus={AccountMenu.prefetch}
    />
  )
  if (!isRequested) return button
  return (
    <LazyBoundary fallback={button} onFailure={() => setAsked(false)}>
      <AccountMenu foldable={foldable} />
    </LazyBoundary>
  )
}
