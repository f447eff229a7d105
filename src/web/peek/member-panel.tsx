import { displayName } from '#contract/users.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { Activity } from '#web/activity/activity.tsx'
import { describeError } from '#web/api.ts'
import { isUnknownUser } from '#web/features/users/queries.ts'
import { Link } from '#web/link.tsx'
import { BannedBadge, ErasedBadge, KycBadge } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { MemberFigures } from './figures.tsx'
import { KycBar } from './kyc-bar.tsx'
import { MemberActions } from './member-actions.tsx'
import { PeekFrame } from './peek-frame.tsx'
import { ChangedNote, PeekSkeleton } from './peek-states.tsx'
import { memberPeekQuery } from './queries.ts'
import { Forbidden, Unknown } from './unknown.tsx'
import { usePeeked } from './use-peeked.ts'

/** What the buttons depend on. */
const version = ({ user, nextOrder, reviewId }: MemberPeek) =>
  [user.version, nextOrder?.id, nextOrder?.version, reviewId].join(' ')

export function MemberPanel({ id }: { id: string }) {
  const mayView = useCan('members.view')
  return mayView ? <ViewedMember id={id} /> : <Forbidden entity="member" id={id} permission="members.view" />
}

function ViewedMember({ id }: { id: string }) {
  const peeked = usePeeked({ kind: 'member', id }, memberPeekQuery(id), version)
  const { reply, isOld, error, isFetching, isChanged } = peeked
  const name = reply && !error ? displayName(reply.user) : 'member'
  return (
    <PeekFrame
      entity="member"
      name={name}
      link={<Link {...paths.user(id)} />}
      isOld={isOld && !error}
      actions={
        reply &&
        !error && (
          <>
            {isChanged && <ChangedNote entity="member" onReload={peeked.reload} />}
            <MemberActions key={reply.user.id} peek={reply} onDone={() => void peeked.refresh()} />
          </>
        )
      }
    >
      {error ? (
        isUnknownUser(error) ? (
          <Unknown entity="member" />
        ) : (
          <ErrorState
            title="Could not load this member"
            message={describeError(error)}
            retryLabel="Retry"
            onRetry={peeked.retry}
            retrying={isFetching}
          />
        )
      ) : reply ? (
        <>
          <Identity peek={reply} />
          <KycBar peek={reply} />
          <MemberFigures peek={reply} />
          <Activity key={reply.user.id} subject={{ type: 'user', id: reply.user.id }} className="mt-6" />
        </>
      ) : (
        <PeekSkeleton />
      )}
    </PeekFrame>
  )
}

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
