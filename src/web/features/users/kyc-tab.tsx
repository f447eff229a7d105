import { Check, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { canDecideKyc, kycSteps, type KycAction } from '#contract/kyc.ts'
import type { User, UserDetail } from '#contract/users.ts'
import { Button } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { KycBadge } from '#web/members/badges.tsx'
import { Documents } from './documents.tsx'
import { Missing, Section } from '#web/ui/section.tsx'
import { asWords } from '#web/lib/words.ts'

const KycDialog = lazy(() => import('./kyc-dialog.tsx'))

/** KYC Details (SPEC section 2): where the member stands, the documents, and the decision. */
export function KycTab({ detail }: { detail: UserDetail }) {
  const { user, kycVerification: last } = detail
  const step = kycSteps[user.kycCurrentStep - 1]
  // The member as they were when the dialog opened: its version is what the decision is meant for. The dialog stays,
  // with what was typed in it, when another operator decides meanwhile.
  const [deciding, setDeciding] = useState<{ action: KycAction; user: User } | null>(null)
  const close = () => setDeciding(null)
  return (
    <div className="grid items-start gap-x-10 gap-y-6 wide:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <Section title="Verification">
        <Facts>
          <Fact name="Status">
            {user.kycStatus ? <KycBadge status={user.kycStatus} /> : <Missing>Not started</Missing>}
          </Fact>
          <Fact name="Document type">
            {user.kycDocumentType ? <bdi>{asWords(user.kycDocumentType)}</bdi> : <Missing>None yet</Missing>}
          </Fact>
          <Fact name="Current step">
            {user.kycCurrentStep}{' '}
            <Missing>
              of {kycSteps.length}
              {step && `, ${step}`}
            </Missing>
          </Fact>
          <Fact name="Submission count">{user.kycSubmissionCount}</Fact>
          <Fact name="Rejection reason">
            {last?.rejectionReason ? (
              <>
                <bdi>{last.rejectionReason}</bdi>{' '}
                {last.attemptNumber && <Missing>(attempt {last.attemptNumber})</Missing>}
              </>
            ) : (
              <Missing>None</Missing>
            )}
          </Fact>
          <Fact name="Admin notes">{last?.adminNotes ? <bdi>{last.adminNotes}</bdi> : <Missing>None</Missing>}</Fact>
          {last?.decidedAt && (
            <Fact name="Last decision">
              <Instant value={last.decidedAt} />
              {last.decidedBy && (
                <Missing>
                  {' '}
                  by <bdi>{last.decidedBy}</bdi>
                </Missing>
              )}
            </Fact>
          )}
        </Facts>
      </Section>
      <div className="min-w-0 space-y-5">
        <Documents user={user} />
        {canDecideKyc(user.kycStatus) && <Decision onDecide={(action) => setDeciding({ action, user })} />}
      </div>
      {deciding && (
        <Lazily fallback={null} onFailure={close}>
          <KycDialog {...deciding} onClose={close} />
        </Lazily>
      )}
    </div>
  )
}

/** Offered whenever the status is not approved (SPEC section 4). */
function Decision({ onDecide }: { onDecide: (action: KycAction) => void }) {
  const open = (action: KycAction) => () => onDecide(action)
  return (
    <Section title="Decision">
      <p className="mb-3 text-13 text-quiet">
        Approving marks KYC as completed and assigns a membership id. Resetting returns the member to Pending, to submit
        again.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={open('approve')}>
          <Check aria-hidden />
          Approve
        </Button>
        <Button variant="danger" onClick={open('reject')}>
          <X aria-hidden />
          Reject
        </Button>
        <Button onClick={open('reset')}>
          <Undo2 aria-hidden />
          Reset
        </Button>
      </div>
    </Section>
  )
}
