import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { roleLabels } from '#contract/permissions.ts'
import { cn } from '#web/lib/cn.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { accountQuery } from '#web/use-can.ts'

const AccountMenu = lazy(() => import('./account-menu.tsx'))

interface AccountButtonProps extends ComponentProps<'button'> {
  foldable: boolean
}

/** Product 2.3: the only operator is “Admin User”; several have their names. */
function useLabels(): { name: string; caption: string } {
  const { data } = useQuery({ ...accountQuery, enabled: false })
  const { admin: { username, role } = { username: '', role: 'super_admin' as const }, hasOtherOperators } = data ?? {}
  const isNamed = hasOtherOperators || role !== 'super_admin'
  return { name: isNamed ? username : 'Admin User', caption: roleLabels[role] }
}

/** Whether the page is one of those that the menu leads to. */
const useIsInMenu = () => useLocation({ select: ({ pathname }) => /^\/(account|bulk)(\/|$)/.test(pathname) })

export function AccountButton({ foldable, ...rest }: AccountButtonProps) {
  const { name, caption } = useLabels()
  const isHere = useIsInMenu()
  return (
    <button
      type="button"
      title="Account menu"
      aria-current={isHere ? 'page' : undefined}
      className={cn(
        'flex w-full shrink-0 items-center gap-2.5 border-t px-4 py-2.5 text-left -outline-offset-2! transition-colors hover:bg-hover aria-[current=page]:bg-selected',
        foldable && 'folded:justify-center folded:px-0',
      )}
      {...rest}
    >
      <Avatar name={name} />
      <span className={cn('min-w-0 flex-1 text-13 font-medium', foldable && 'folded:sr-only')}>
        <bdi className="block truncate">{name}</bdi>
        <span className="block text-12 font-regular text-quiet">{caption}</span>
      </span>
      <ChevronsUpDown
        aria-hidden
        strokeWidth={1.75}
        className={cn('size-4 shrink-0 text-quiet', foldable && 'folded:hidden')}
      />
    </button>
  )
}

interface AccountProps {
  foldable: boolean
  /** Called when a screen was chosen. */
  onChoose?: (() => void) | undefined
}

/** The button. Pointing at it loads the menu's code. */
export function Account({ foldable, onChoose }: AccountProps) {
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
      <AccountMenu foldable={foldable} onChoose={onChoose} />
    </LazyBoundary>
  )
}
