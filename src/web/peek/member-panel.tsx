import { kycSteps } from '#contract/kyc.ts'
import { displayName } from '#contract/members.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { BannedBadge, ErasedBadge, KycBadge } from '#web/members/badges.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { figuresLook, KycBar, MemberFigures } from './figures.tsx'
import { MemberActions } from './member-actions.tsx'
import { PeekedRecord } from './peeked-record.tsx'
import { memberPeekQuery } from './queries.ts'

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
    <div className="mt-4">
      <KycBar
        member={peek.user}
        attemptNumber={peek.attemptNumber}
        end={`Step ${peek.user.kycCurrentStep} of ${kycSteps.length}`}
      />
    </div>
    <dl className={figuresLook}>
      <MemberFigures id={peek.user.id} peek={peek} />
    </dl>
  </>
)

function Identity({ peek: { user } }: { peek: MemberPeek }) {
  const name = displayName(user)
  const email = user.erasedAt || name === user.email ? null : user.email
  const known = [email, user.membershipId].filter((each) => each !== null)
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
