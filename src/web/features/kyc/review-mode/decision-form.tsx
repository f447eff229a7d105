import { useId } from 'react'
import { kycMove } from '#contract/kyc-moves.ts'
import type { MissingPart } from '#contract/kyc-parts.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { cn } from '#web/lib/cn.ts'
import { type ApprovalNeed, useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { decisionLooks, kycApprovals, memberReadsReason } from '#web/reviews/decision-looks.ts'
import { Doubts } from '#web/reviews/doubts.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { focusFirstField } from './another-look.tsx'
import { AdminNotes, isComplete, RejectionReason } from './decision-texts.tsx'
import type { DecisionDraft } from './use-decision-draft.ts'

const actionTexts = {
  approve: { consequence: kycMove('approve').consequence, key: '↵' },
  reject: { consequence: memberReadsReason, key: 'Ctrl ↵' },
} satisfies Record<ReviewAction, object>

interface DecisionFormProps {
  action: ReviewAction
  member: Member
  /** Reasons against an approval. */
  doubts: readonly string[]
  missing: readonly MissingPart[]
  draft: DecisionDraft
}

/** Confirms a decision. Plain Enter never rejects. */
export function DecisionForm({ action, member, doubts, missing, draft }: DecisionFormProps) {
  const { typed, setTyped, isBusy } = draft
  const id = useId()
  const need = useApprovalNeed(kycApprovals[action])
  return (
    <fieldset ref={focusFirstField} aria-labelledby={id} aria-describedby={`${id}-what`} className="min-w-0 space-y-3">
      <div>
        <h3 id={id} className="break-words">
          {kycMove(action).button} KYC of <bdi>{displayName(member)}</bdi>?
        </h3>
        <p id={`${id}-what`} className="mt-0.5 text-12 text-quiet">
          {actionTexts[action].consequence}
        </p>
      </div>
      <BannedNote member={member} />
      <ApprovalNote need={need} className="" />
      {action === 'approve' && <Doubts doubts={[...doubts, ...draft.doubts]} secondPress={draft.secondPress} />}
      {action === 'reject' && (
        <RejectionReason
          reason={typed.reason}
          missing={missing}
          isPending={isBusy}
          onChange={(reason) => setTyped({ ...typed, reason })}
        />
      )}
      <AdminNotes
        action={action}
        notes={typed.notes}
        isPending={isBusy}
        onChange={(notes) => setTyped({ ...typed, notes })}
      />
      <div className="flex flex-wrap gap-2 sticky -bottom-3 -mb-3 bg-surface py-3 max-roomy:very-low:static roomy:-bottom-3.5 roomy:-mb-3.5 roomy:pb-3.5">
        <ConfirmButton action={action} draft={draft} need={need} />
        <Button disabled={isBusy} onClick={draft.cancel} className="flex-1">
          Cancel
          <KeyHint>Esc</KeyHint>
        </Button>
      </div>
    </fieldset>
  )
}

interface ConfirmButtonProps {
  action: ReviewAction
  draft: DecisionDraft
  need: ApprovalNeed
}

function ConfirmButton({ action, draft, need }: ConfirmButtonProps) {
  const { typed, secondPress, canDecide, isBusy, confirm } = draft
  const { icon } = decisionLooks[action]
  const named = need.nameAction({ label: kycMove(action).button, icon })
  const isReject = action === 'reject'
  const { icon: Icon = icon, label, isEarly } = isReject ? { ...named, isEarly: false } : secondPress.nameAction(named)
  return (
    <ChangeButton
      {...(!isReject && { 'data-first': '' })}
      data-decides=""
      variant={isReject ? 'danger-solid' : isEarly ? 'default' : 'primary'}
      disabled={!canDecide || !isComplete(action, typed)}
      loading={isBusy}
      {...(isEarly && { 'aria-disabled': true })}
      onClick={confirm}
      className={cn('flex-1', isEarly && 'text-disabled')}
    >
      <Icon aria-hidden />
      {label}
      <KeyHint onAccent>{actionTexts[action].key}</KeyHint>
    </ChangeButton>
  )
}
