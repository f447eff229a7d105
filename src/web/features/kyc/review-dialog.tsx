import { kycMove } from '#contract/kyc-moves.ts'
import { listMissingParts } from '#contract/kyc-parts.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { renderKycOutcome } from '#web/members/toast-lines.tsx'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { refetchMembers } from '#web/members/refetch.ts'
import { CaseNote } from '#web/reviews/case-note.tsx'
import { useUnseenApproval } from '#web/reviews/case-parts.tsx'
import { DecisionFields, useDecisionTexts } from '#web/reviews/decision-fields.tsx'
import { decisionLooks, kycApprovals, memberReadsReason } from '#web/reviews/decision-looks.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { MemberLine } from '#web/members/member-line.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProviderNote } from './provider-note.tsx'
import { fetchSubject, sendDecision, type ReviewSubject } from './review-subject.ts'

/** The consequence, since here the member reads the reason. */
const consequences = {
  approve: kycMove('approve').consequence,
  reject: `KYC becomes Rejected. ${memberReadsReason}`,
} satisfies Record<ReviewAction, string>

interface ReviewDialogProps {
  action: ReviewAction
  subject: ReviewSubject
  onClose: () => void
}

/** Approves or rejects (product 5.9, 9.5). */
export default function ReviewDialog({ action, subject, onClose }: ReviewDialogProps) {
  const { button, done } = kycMove(action)
  const isReject = action === 'reject'
  const texts = useDecisionTexts(isReject)
  const { current, apply, isPending, refusal, conflict } = useChange({
    entity: subject,
    send: (entity) => sendDecision(entity, { action, ...texts.body }),
    fetchFresh: fetchSubject,
    refetch: refetchMembers,
    success: done,
    describe: renderKycOutcome,
    failure: 'Failed to process KYC review',
    onDone: onClose,
  })
  const { sent } = current
  const missing = listMissingParts(sent)
  const elsewhere = 'Review shows them all beside what was entered.'
  const approval = useUnseenApproval({ isApproval: !isReject, missing, sent, elsewhere })
  const need = useTargetNeed(kycApprovals[action], { type: 'user', id: current.member.id })
  const disabled = !texts.canSend || !current.canDecide
  return (
    <FormDialog
      title={
        <>
          {button} KYC of <bdi>{displayName(current.member)}</bdi>?
        </>
      }
      description={consequences[action]}
      action={approval.nameAction(need.nameAction({ label: button, ...decisionLooks[action], disabled }))}
      onSubmit={() => approval.press(apply)}
      onClose={onClose}
      pending={isPending}
    >
      <MemberLine member={current.member} />
      <BannedNote member={current.member} className="mb-4" />
      <TargetNote need={need} />
      <CaseNote
        member={current.member}
        opened={subject.kind === 'verification' ? subject : undefined}
        isSending={isPending}
      />
      {current.providerOpinion && <ProviderNote opinion={current.providerOpinion} action={action} />}
      {approval.notes}
      <DecisionFields texts={texts} refusal={refusal}>
        <div className="mt-2">
          <ReasonChips reason={texts.reason} onChange={texts.setReason} missing={missing} />
        </div>
      </DecisionFields>
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC is now {current.statusText}
        {current.canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
