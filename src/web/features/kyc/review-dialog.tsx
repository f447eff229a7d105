import { Check, X } from 'lucide-react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { DecisionFields, useDecisionTexts } from '#web/reviews/decision-fields.tsx'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { useOwnName } from './own-name.ts'
import { ProviderNote } from './provider-note.tsx'
import { fetchReviewed, sendDecision, type Reviewed } from './reviewed.ts'

const looks = {
  approve: {
    verb: 'Approve',
    consequence:
      'KYC counts as completed, and a membership id is assigned for good. An approval can’t be taken back here.',
    icon: Check,
    tone: 'primary',
    done: 'KYC Approved Successfully',
  },
  reject: {
    verb: 'Reject',
    consequence: 'KYC becomes Rejected. The member reads the reason and can submit a new attempt.',
    icon: X,
    tone: 'danger',
    done: 'KYC Status Updated',
  },
} as const

interface ReviewDialogProps {
  action: ReviewAction
  reviewed: Reviewed
  onClose: () => void
}

/** Approves or rejects (SPEC sections 2 and 5). */
export default function ReviewDialog({ action, reviewed, onClose }: ReviewDialogProps) {
  const { verb, consequence, icon, tone, done } = looks[action]
  const isReject = action === 'reject'
  const texts = useDecisionTexts(isReject)
  const ownName = useOwnName()
  const { current, apply, isPending, refusal, conflict } = useChange({
    entity: reviewed,
    send: (entity) => sendDecision(entity, { action, ...texts.body }),
    fetchFresh: fetchReviewed,
    refetch: refetchMembers,
    success: done,
    failure: 'Failed to process KYC review',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={
        <>
          {verb} KYC of <bdi>{displayName(current.user)}</bdi>?
        </>
      }
      description={consequence}
      action={{
        label: verb,
        icon,
        tone,
        disabled: !texts.canSend || !current.canDecide,
      }}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      {current.claimedBy !== null && current.claimedBy !== ownName && (
        <Note tone="warning" className="mb-4">
          <bdi>{current.claimedBy}</bdi> has this case open in review mode.
        </Note>
      )}
      {current.providerWord && <ProviderNote word={current.providerWord} action={action} />}
      <DecisionFields texts={texts} refusal={refusal}>
        <div className="mt-2">
          <ReasonChips reason={texts.reason} onChange={texts.setReason} />
        </div>
      </DecisionFields>
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC now stands at {current.standing}
        {current.canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
