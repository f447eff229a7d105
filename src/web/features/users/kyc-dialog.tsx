import { canDecideKyc, type KycAction, kycMove, kycUpdated } from '#contract/kyc-moves.ts'
import { kycWords } from '#contract/kyc.ts'
import { displayName, userRoutes } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { call } from '#web/api.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { CaseNote } from '#web/reviews/case-note.tsx'
import { DecisionFields, useDecisionTexts } from '#web/reviews/decision-fields.tsx'
import { decisionLooks, kycApprovals } from '#web/reviews/decision-looks.ts'
import { MemberLine } from '#web/members/member-line.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { renderKycOutcome } from '#web/members/toast-lines.tsx'
import { useUserChange } from './use-user-change.ts'

/** Says which documents the operator does not see here. */
const documentsNote = ({ kycFrontDocumentUrl, kycBackDocumentUrl, kycSelfieUrl }: User) =>
  kycFrontDocumentUrl || kycBackDocumentUrl || kycSelfieUrl
    ? 'No document is on screen here. View them on this page before you approve.'
    : 'This member has uploaded no documents.'

interface KycDialogProps {
  action: KycAction
  user: User
  onClose: () => void
}

/** Approve, reject or reset a member's KYC (product 7.1, 9.5). */
export default function KycDialog({ action, user, onClose }: KycDialogProps) {
  const { button, consequence, refusal: required } = kycMove(action)
  const texts = useDecisionTexts(required !== null)
  const { current, apply, isPending, refusal, conflict } = useUserChange({
    user,
    send: ({ id, version }) =>
      call(userRoutes.decideKyc, {
        params: { id, action },
        body: texts.body,
        ifMatch: version,
      }),
    success: kycUpdated,
    describe: renderKycOutcome,
    failure: 'Failed to update KYC status',
    onDone: onClose,
  })
  const need = useTargetNeed(kycApprovals[action], { type: 'user', id: user.id })
  const canDecide = canDecideKyc(current.kycStatus)
  return (
    <FormDialog
      title={
        <>
          {button} KYC of <bdi>{displayName(current)}</bdi>?
        </>
      }
      description={consequence}
      action={need.nameAction({
        label: button,
        ...decisionLooks[action],
        disabled: !texts.canSend || !canDecide,
      })}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      <MemberLine member={current} />
      <TargetNote need={need} />
      <BannedNote member={current} className="mb-4" />
      <CaseNote user={current} isSending={isPending} />
      {action === 'approve' && <Note className="mb-4">{documentsNote(current)}</Note>}
      <DecisionFields texts={texts} refusal={refusal} />
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC is now {kycWords(current.kycStatus)}
        {canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
