import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { AccountCard } from './account-section.tsx'

const PasswordDialog = lazy(() => import('./password-dialog.tsx'))

export function Password({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  usePrefetch(true, PasswordDialog)
  return (
    <>
      <AccountCard>
        <span className="flex min-w-0 items-center gap-2.5">
          <KeyRound aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-quiet" />
          Your current password is needed to change it.
        </span>
        <ChangeButton aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Change Password
        </ChangeButton>
      </AccountCard>
      <LazyBoundary fallback={null} onFailure={close}>
        {isOpen && <PasswordDialog username={username} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
