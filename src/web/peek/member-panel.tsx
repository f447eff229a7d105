import { type KycStatus, kycSteps } from '#contract/kyc.ts'
import { displayName } from '#contract/members.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { cn } from '#web/lib/cn.ts'
import { BannedBadge, ErasedBadge, KycBadge } from '#web/members/badges.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MemberFigures } from './figures.tsx'
import { MemberActions } from './member-actions.tsx'
import { PeekedRecord } from './peeked-record.tsx'
import { memberPeekQuery } from './queries.ts'

const looks: Record<KycStatus, { bar: string; ink: string; words: string }> = {
  approved: { bar: 'bg-success-solid', ink: 'text-success-ink', words: 'Approved' },
  rejected: { bar: 'bg-danger-solid', ink: 'text-danger-ink', words: 'Rejected' },
  under_review: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Under review' },
  submitted: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Submitted' },
  pending: { bar: 'bg-warning-solid', ink: 'text-warning-ink', words: 'Pending' },
}
const notStarted = { bar: 'bg-neutral-solid', ink: 'text-quiet', words: 'Not started' }

/** The four steps in the colour of the outcome, with the outcome in words. */
function KycBar({ peek: { user, attemptNumber } }: { peek: MemberPeek }) {
  const { bar, ink, words } = user.kycStatus ? looks[user.kycStatus] : notStarted
  const taken = user.kycStatus === null ? 0 : user.kycCurrentStep
  return (
    <div className="mt-4">
      <div aria-hidden className="grid grid-cols-4 gap-1">
        {kycSteps.map((name, index) => (
          <span key={name} className={cn('keep-colour h-1 rounded-[2px]', index < taken ? bar : 'bg-neutral-soft')} />
        ))}
      </div>
      <p className="mt-1.5 flex justify-between gap-3 text-12">
        <span className={cn('font-medium', ink)}>
          {words}
          {user.kycStatus !== null && attemptNumber !== null && ` on attempt ${attemptNumber}`}
        </span>
        <span className="text-quiet">
          Step {user.kycCurrentStep} of {kycSteps.length}
        </span>
      </p>
    </div>
  )
}

/** What the buttons depend on. */
const version = ({ user, nextOrder, reviewId }: MemberPeek) =>
  [user.version, nextOrder?.id, nextOrder?.version, reviewId].join(' ')

export const MemberPanel = ({ id }: { id: string }) => (
  <PeekedRecord
    target={{ kind: 'member', id }}
    permission="members.view"
    query={memberPeekQuery(id)}
    version={version}
    name={({ user }) => displayName(user)}
    idOf={({ user }) => user.id}
    activity="user"
    Actions={MemberActions}
    Summary={MemberPeekSummary}
  />
)

export const MemberPeekSummary = ({ peek }: { peek: MemberPeek }) => (
  <>
    <Identity peek={peek} />
    <KycBar peek={peek} />
    <MemberFigures peek={peek} />
  </>
)

function Identity({ peek: { user } }: { peek: MemberPeek }) {
  const name = displayName(user)
  const known = [name === user.email ? null : user.email, user.membershipId].filter((each) => each !== null)
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar big name={user.legalFirstName || user.email} />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <h2 className="min-w-0 truncate text-16" title={name}>
            <bdi>{name}</bdi>
          </h2>
          <span className="ml-auto flex shrink-0 flex-wrap justify-end gap-1">
            {user.erasedAt && <ErasedBadge />}
            {user.kycBanned && <BannedBadge reason={user.bannedReason} />}
            <KycBadge status={user.kycStatus} />
          </span>
        </div>
        <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-quiet">
          {known.map((text) => (
            <span key={text} className="min-w-0 wrap-anywhere after:ml-1.5 after:content-['·']">
              <bdi>{text}</bdi>
            </span>
          ))}
          <span className="inline-flex min-w-0 items-center">
            <span className="hash-text wrap-anywhere">{user.id}</span>
            <CopyButton text={user.id} label="Copy user id" />
          </span>
        </p>
      </div>
    </div>
  )
}
