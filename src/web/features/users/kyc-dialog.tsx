import { canDecideKyc, type KycAction, kycMove, kycUpdated } from '#contract/kyc-moves.ts'
import { listMissingParts, type SentParts } from '#contract/kyc-parts.ts'
import { kycWords } from '#contract/kyc.ts'
import { displayName, userRoutes } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { call } from '#web/api.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { CaseNote } from '#web/reviews/case-note.tsx'
import { useUnseenApproval } from '#web/reviews/case-parts.tsx'
import { DecisionFields, useDecisionTexts } from '#web/reviews/decision-fields.tsx'
import { decisionLooks, kycApprovals } from '#web/reviews/decision-looks.ts'
import { ReasonChips } from '#web/reviews/reason-chips.tsx'
import { MemberLine } from '#web/members/member-line.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { renderKycOutcome } from '#web/members/toast-lines.tsx'
import { useUserChange } from './use-user-change.ts'

interface KycDialogProps {
  action: KycAction
  user: User
  /** What was sent of the attempt that the decision is about. Null: none was submitted. */
  sent: SentParts | null
  onClose: () => void
}

/** Approve, reject or reset a member's KYC (product 7.1, 9.5). */
export default function KycDialog({ action, user, sent, onClose }: KycDialogProps) {
  const { button, consequence, refusal: required } = kycMove(action)
  const texts = useDecisionTexts(required !== null)
  const { current, apply, isPending, refusal, conflict } = useUserChange({
    user,
    send: ({ id, version }) =>
      call(userRoutes.decideKyc, { params: { id, action }, body: texts.body, ifMatch: version }),
    success: kycUpdated,
    describe: renderKycOutcome,
    failure: 'Failed to update KYC status',
    onDone: onClose,
  })
  const missing = listMissingParts(sent)
  const elsewhere = 'View them on this page before you approve.'
  const approval = useUnseenApproval({ isApproval: action === 'approve', missing, sent, elsewhere })
  const need = useTargetNeed(kycApprovals[action], { type: 'user', id: user.id })
  const canDecide = canDecideKyc(current.kycStatus)
  const disabled = !texts.canSend || !canDecide
  return (
    <FormDialog
      title={
        <>
          {button} KYC of <bdi>{displayName(current)}</bdi>?
        </>
      }
      description={consequence}
      action={approval.nameAction(need.nameAction({ label: button, ...decisionLooks[action], disabled }))}
      onSubmit={() => approval.press(apply)}
      onClose={onClose}
      pending={isPending}
    >
      <MemberLine member={current} />
      <TargetNote need={need} />
      <BannedNote member={current} className="mb-4" />
      <CaseNote user={current} isSending={isPending} />
      {approval.notes}
      <DecisionFields texts={texts} refusal={refusal}>
        <div className="mt-2">
          <ReasonChips reason={texts.reason} onChange={texts.setReason} missing={missing} />
        </div>
      </DecisionFields>
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC is now {kycWords(current.kycStatus)}
        {canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
