import { canDecideKyc, type KycAction, kycMove, kycUpdated } from '#contract/kyc-moves.ts'
import { listMissingParts, type SentParts } from '#contract/kyc-parts.ts'
import { kycWords } from '#contract/kyc.ts'
import { displayName, memberRoutes } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
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
import { useMemberChange } from './use-member-change.ts'

interface KycDialogProps {
  action: KycAction
  member: Member
  /** What was sent of the attempt that the decision is about. Null: none was submitted. */
  sent: SentParts | null
  onClose: () => void
}

/** Approve, reject or reset a member's KYC (product 7.1, 9.5). */
export default function KycDialog({ action, member, sent, onClose }: KycDialogProps) {
  const { button, consequence, refusal: required } = kycMove(action)
  const texts = useDecisionTexts(required !== null)
  const { current, apply, isPending, refusal, conflict } = useMemberChange({
    member,
    send: ({ id, version }) =>
      call(memberRoutes.decideKyc, { params: { id, action }, body: texts.body, ifMatch: version }),
    success: kycUpdated,
    describe: renderKycOutcome,
    failure: 'Failed to update KYC status',
    onDone: onClose,
  })
  const missing = listMissingParts(sent)
  const elsewhere = 'View them on this page before you approve.'
  const approval = useUnseenApproval({ isApproval: action === 'approve', missing, sent, elsewhere })
  const need = useTargetNeed(kycApprovals[action], { type: 'user', id: member.id })
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
      <CaseNote member={current} isSending={isPending} />
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
