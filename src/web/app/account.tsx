import { ChevronsUpDown } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { fetchAhead, lazy, Lazily } from '#web/ui/lazily.tsx'

const loadMenu = () => import('./account-menu.tsx')
const AccountMenu = lazy(loadMenu)

interface AccountButtonProps extends ComponentProps<'button'> {
  foldable: boolean
}

/** SPEC section 1: a fixed label and caption. */
export function AccountButton({ foldable, ...rest }: AccountButtonProps) {
  return (
    <button
      type="button"
      title="Account menu"
      className={cn(
        'flex w-full shrink-0 items-center gap-2.5 border-t px-4 py-2.5 text-left -outline-offset-2! transition-colors hover:bg-hover',
        foldable && 'max-wide:justify-center max-wide:px-0',
      )}
      {...rest}
    >
      <Avatar name="Admin User" />
      <span className={cn('min-w-0 flex-1 text-13 font-medium', foldable && 'max-wide:sr-only')}>
        Admin User
        <span className="block text-12 font-regular text-quiet">Super Admin</span>
      </span>
      <ChevronsUpDown
        aria-hidden
        strokeWidth={1.75}
        className={cn('size-4 shrink-0 text-quiet', foldable && 'max-wide:hidden')}
      />
    </button>
  )
}

/** The button alone until it is used: the menu's code comes with the pointer. */
export function Account({ foldable }: { foldable: boolean }) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <AccountButton
      foldable={foldable}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onPointerEnter={() => fetchAhead(loadMenu)}
      onFocus={() => fetchAhead(loadMenu)}
    />
  )
  if (!isAsked) return button
  return (
    <Lazily fallback={button} onFailure={() => setAsked(false)}>
      <AccountMenu foldable={foldable} />
    </Lazily>
  )
}
