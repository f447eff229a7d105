import { kycSteps, type KycStatus } from '#contract/kyc.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { cn } from '#web/lib/cn.ts'

const looks: Record<KycStatus, { bar: string; ink: string; words: string }> = {
  approved: { bar: 'bg-success-solid', ink: 'text-success-ink', words: 'Approved' },
  rejected: { bar: 'bg-danger-solid', ink: 'text-danger-ink', words: 'Rejected' },
  under_review: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Under review' },
  submitted: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Submitted' },
  pending: { bar: 'bg-warning-solid', ink: 'text-warning-ink', words: 'Pending' },
}
const notStarted = { bar: 'bg-neutral-solid', ink: 'text-quiet', words: 'Not started' }

/** The four steps in the colour of the outcome, with the outcome in words. */
export function KycBar({ peek: { user, attemptNumber } }: { peek: MemberPeek }) {
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
