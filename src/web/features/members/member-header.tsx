import { Ban, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { displayName } from '#contract/members.ts'
import type { Member, MemberDetail } from '#contract/schemas/members.ts'
import { usePrefetchedRules, useWaitingActions } from '#web/approvals/approval-need.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { BannedBadge, CompletedBadge, ErasedBadge } from '#web/members/badges.tsx'
import { PermissionGate } from '#web/permission-gate.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'

const BanDialog = lazy(() => import('./ban-dialog.tsx'))
const UnbanDialog = lazy(() => import('./unban-dialog.tsx'))

/** State and actions of a member. The name is the page's h1. */
export function MemberHeader({ detail: { user }, refresh }: { detail: MemberDetail; refresh: () => Promise<boolean> }) {
  // The member as they were when the dialog opened. A change meanwhile becomes a conflict.
  const [changing, setChanging] = useState<Member | null>(null)
  const close = () => setChanging(null)
  usePrefetch(true, BanDialog, UnbanDialog)
  usePrefetchedRules()
  const name = displayName(user)
  // The e-mail of an erased member stands for nothing.
  const email = user.erasedAt || user.email === name ? null : user.email
  return (
    <div className="mb-4 flex min-w-0 items-center gap-4 max-md:flex-wrap max-md:gap-3">
      <Avatar big name={user.legalFirstName || user.email} />
      <div className="min-w-0 flex-1 narrowest:basis-full">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <p className="min-w-0 truncate text-20 font-semibold" title={name}>
            <bdi>{name}</bdi>
          </p>
          <span className="flex flex-wrap gap-1.5">
            {user.erasedAt && <ErasedBadge />}
            {user.kycBanned && <BannedBadge />}
            <CompletedBadge member={user} />
          </span>
        </div>
        <p className="text-13 wrap-anywhere text-quiet">
          {email && (
            <>
              <bdi>{email}</bdi> ·{' '}
            </>
          )}
          <span className="whitespace-nowrap">{user.membershipId ?? 'No membership id'}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-md:basis-full">
        <RefreshButton refresh={refresh} done="User data is up to date." />
        {!user.erasedAt && <BanButton member={user} onClick={() => setChanging(user)} />}
      </div>
      {changing && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          {changing.kycBanned ? (
            <UnbanDialog member={changing} onClose={close} />
          ) : (
            <BanDialog member={changing} whenEmpty="refuse" onClose={close} />
          )}
        </LazyBoundary>
      )}
    </div>
  )
}

/** Not offered while it waits for an approval, which the page says. */
function BanButton({ member, onClick }: { member: Member; onClick: () => void }) {
  const waiting = useWaitingActions('user', member.id)
  if (waiting.has(member.kycBanned ? 'unban_user' : 'ban_user')) return null
  return (
    <PermissionGate permission="members.ban">
      {member.kycBanned ? (
        <ChangeButton onClick={onClick}>
          <LockOpen aria-hidden />
          Unban User
        </ChangeButton>
      ) : (
        <ChangeButton variant="danger" onClick={onClick}>
          <Ban aria-hidden />
          Ban User
        </ChangeButton>
      )}
    </PermissionGate>
  )
}
