import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { ResultBadge, StepBadge } from '#web/members/badges.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'

type Attempt = ReviewCase['earlierAttempts'][number]

/** Earlier decisions: how, why, by whom and when. */
export const EarlierAttempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <Section title="Earlier attempts" count={attempts.length > 0 ? String(attempts.length) : undefined}>
    {attempts.length === 0 ? (
      <p className="text-13 text-quiet">None: this is the first that was submitted.</p>
    ) : (
      <ol className="space-y-4">
        {attempts.map((attempt) => (
          <EarlierAttempt key={attempt.attemptNumber} attempt={attempt} />
        ))}
      </ol>
    )}
  </Section>
)

function EarlierAttempt({ attempt }: { attempt: Attempt }) {
  const { attemptNumber, status, rejectionReason, adminNotes, decidedBy, decidedAt, submittedAt } = attempt
  return (
    <li className="text-13">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {status === 'pending' ? <ResultBadge result="pending" /> : <StepBadge status={status} />}
        <span className="font-medium">Attempt {attemptNumber}</span>
        <span className="ml-auto text-12 text-quiet">
          <Instant value={decidedAt ?? submittedAt} />
        </span>
      </div>
      {rejectionReason && (
        <p className="mt-1 break-words">
          <bdi>{rejectionReason}</bdi>
        </p>
      )}
      {adminNotes && (
        <p className="mt-1 break-words">
          <MissingValue>Notes:</MissingValue> <bdi>{adminNotes}</bdi>
        </p>
      )}
      {decidedBy && (
        <p className="mt-0.5 text-12 text-quiet">
          by <bdi>{decidedBy}</bdi>
        </p>
      )}
    </li>
  )
}
