import { useState, type ReactNode } from 'react'
import { moveApprovals } from '#contract/order-moves.ts'
import { displayName } from '#contract/members.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { usePrefetchedRules, useWaitingActions } from '#web/approvals/approval-need.ts'
import { isZero } from '#web/bank/amounts.ts'
import { describeObstacle, isOpen } from '#web/features/orders/order-facts.ts'
import { formatMoney } from '#web/features/orders/money.tsx'
import { linkToReview } from '#web/features/kyc/review-link.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'

const BanDialog = lazy(() => import('#web/features/members/ban-dialog.tsx'))
const UnbanDialog = lazy(() => import('#web/features/members/unban-dialog.tsx'))
const StatusDialog = lazy(() => import('#web/features/orders/status-dialog.tsx'))

type OpenDialog = 'ban' | 'unban' | 'pay' | null

interface MemberActionsProps {
  peek: MemberPeek
  /** After a dialog, whatever became of it. */
  onDone: () => void
}

/** What presses, and the two next actions that the member's state and the admin's role allow. */
export function MemberActions({ peek, onDone }: MemberActionsProps) {
  const { user, nextOrder, reviewId } = peek
  const [opened, setOpened] = useState<OpenDialog>(null)
  const can = useAllowed(peek)
  usePrefetch(true, BanDialog, UnbanDialog, StatusDialog)
  usePrefetchedRules()
  useShortcuts({
    m: can.pay && (() => setOpened('pay')),
    b: can.ban && (() => setOpened(user.kycBanned ? 'unban' : 'ban')),
  })
  const close = () => {
    setOpened(null)
    onDone()
  }
  const ban = can.ban && (
    <ChangeButton
      variant={user.kycBanned ? 'default' : 'hover-danger'}
      onClick={() => setOpened(user.kycBanned ? 'unban' : 'ban')}
    >
      {user.kycBanned ? 'Unban User' : 'Ban User'}
      <KeyHint>B</KeyHint>
    </ChangeButton>
  )
  const next = can.review ? (
    <Button asChild variant="primary">
      <Link {...linkToReview(reviewId!)}>Review KYC</Link>
    </Button>
  ) : (
    can.pay && (
      <ChangeButton variant="primary" onClick={() => setOpened('pay')}>
        Mark Paid
        <KeyHint onAccent>M</KeyHint>
      </ChangeButton>
    )
  )
  return (
    <>
      <ActionBar reason={<Reason peek={peek} mayReview={can.review} />}>
        {ban}
        {next}
      </ActionBar>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setOpened(null)}>
        {opened === 'ban' && <BanDialog member={user} whenEmpty="cancel" onClose={close} />}
        {opened === 'unban' && <UnbanDialog member={user} onClose={close} />}
        {opened === 'pay' && nextOrder && <StatusDialog order={nextOrder} to="paid" onClose={close} />}
      </LazyBoundary>
    </>
  )
}

/** Of what the state allows, what the role allows and no approval waits for. */
function useAllowed({ user, nextOrder, reviewId }: MemberPeek) {
  const [mayBan, mayReview, mayPay] = [useCan('members.ban'), useCan('kyc.decide'), useCan('orders.decide')]
  const waiting = useWaitingActions('user', user.id)
  const orderWaiting = useWaitingActions('order', nextOrder?.id ?? '0')
  const isThere = user.erasedAt === null
  return {
    ban: mayBan && isThere && !waiting.has(user.kycBanned ? 'unban_user' : 'ban_user'),
    review: mayReview && isThere && !user.kycBanned && reviewId !== null,
    pay:
      mayPay &&
      isThere &&
      !user.kycBanned &&
      nextOrder !== null &&
      isOpen(nextOrder) &&
      describeObstacle(nextOrder) === null &&
      !orderWaiting.has(moveApprovals.paid),
  }
}

/** Why the member needs somebody now, in two lines. */
function Reason({ peek: { user, nextOrder, attemptNumber }, mayReview }: { peek: MemberPeek; mayReview: boolean }) {
  if (user.erasedAt) return <Lines what="Personal data erased" />
  if (user.kycBanned)
    return <Lines what={<span className="text-danger-ink">Banned</span>} more={<bdi>{user.bannedReason}</bdi>} />
  if (mayReview)
    return <Lines what="KYC waits for a decision" more={attemptNumber !== null && `Attempt ${attemptNumber}`} />
  if (nextOrder && isOpen(nextOrder)) {
    const received = isZero(nextOrder.received) ? 'unpaid' : `${formatDecimal(nextOrder.received, 2)} received`
    const what = (
      <>
        {nextOrder.orderNumber} expires <TimeLeft until={nextOrder.expiresAt} />
      </>
    )
    return <Lines what={what} more={`${formatMoney(nextOrder)}, ${received}`} />
  }
  return <Lines what={<span className="text-quiet">Nothing waits for {displayName(user)}</span>} />
}

export const Lines = ({ what, more }: { what: ReactNode; more?: ReactNode }) => (
  <>
    <span className="block font-medium">{what}</span>
    {more && <span className="line-clamp-2 block text-12 text-quiet">{more}</span>}
  </>
)

/** The reason at the left, the actions at the right; in a sheet below each other. */
export const ActionBar = ({ reason, children }: { reason: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">
    <p className="min-w-0 flex-1 basis-48 text-13 wrap-anywhere">{reason}</p>
    <span className="flex flex-wrap gap-2 max-md:basis-full max-md:*:h-11 max-md:*:flex-1 max-md:[&_button]:w-full">
      {children}
    </span>
  </div>
)
