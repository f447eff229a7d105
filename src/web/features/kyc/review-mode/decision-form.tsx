import { useId } from 'react'
import { kycMove } from '#contract/kyc-moves.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { cn } from '#web/lib/cn.ts'
import { type ApprovalNeed, useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { BannedNote } from '#web/members/ban-notes.tsx'
import { decisionLooks, kycApprovals, memberReadsReason } from '#web/reviews/decision-looks.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Note } from '#web/ui/note.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { focusFirstField } from './focus-first-field.ts'
import { AdminNotes, isComplete, RejectionReason } from './decision-texts.tsx'
import type { DecisionDraft } from './use-decision-draft.ts'
import { usePress } from './use-warning.ts'

const actionTexts = {
  approve: { consequence: kycMove('approve').consequence, key: '↵' },
  reject: { consequence: memberReadsReason, key: 'Ctrl ↵' },
} satisfies Record<ReviewAction, object>

interface DoubtsProps {
  /** Reasons against an approval. */
  doubts: readonly string[]
  draft: DecisionDraft
}

/** Reasons against an approval and, after the first press, the request for a second one. */
function Doubts({ doubts, draft: { unseen, warning } }: DoubtsProps) {
  const all = [...doubts, ...(unseen === null ? [] : [unseen])]
  if (all.length === 0) return null
  const mustRepeat = unseen !== null && warning !== 'none'
  return (
    <Note tone="warning" {...(mustRepeat && { role: 'alert' as const })}>
      {all.join(' ')}
      {mustRepeat && ' Press again to approve anyway.'}
    </Note>
  )
}

interface DecisionFormProps extends DoubtsProps {
  action: ReviewAction
  user: User
}

/** Confirms a decision. Plain Enter never rejects. */
export function DecisionForm({ action, user, doubts, draft }: DecisionFormProps) {
  const { typed, setTyped, isBusy } = draft
  const id = useId()
  const need = useApprovalNeed(kycApprovals[action])
  return (
    <fieldset ref={focusFirstField} aria-labelledby={id} aria-describedby={`${id}-what`} className="min-w-0 space-y-3">
      <div>
        <h3 id={id} className="break-words">
          {kycMove(action).button} KYC of <bdi>{displayName(user)}</bdi>?
        </h3>
        <p id={`${id}-what`} className="mt-0.5 text-12 text-quiet">
          {actionTexts[action].consequence}
        </p>
      </div>
      <BannedNote member={user} />
      <ApprovalNote need={need} className="" />
      {action === 'approve' && <Doubts doubts={doubts} draft={draft} />}
      {action === 'reject' && (
        <RejectionReason
          reason={typed.reason}
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
  const { typed, unseen, warning, canDecide, isBusy, confirm } = draft
  const { icon: Icon = decisionLooks[action].icon, label } = need.nameAction({
    label: kycMove(action).button,
    icon: decisionLooks[action].icon,
  })
  const isReject = action === 'reject'
  const isReady = warning !== 'unread'
  const press = usePress(isReady, confirm)
  return (
    <ChangeButton
      {...(!isReject && { 'data-first': '' })}
      data-decides=""
      variant={isReject ? 'danger-solid' : isReady ? 'primary' : 'default'}
      disabled={!canDecide || !isComplete(action, typed)}
      loading={isBusy}
      {...(!isReady && { 'aria-disabled': true })}
      {...press}
      className={cn('flex-1', !isReady && 'text-disabled')}
    >
      <Icon aria-hidden />
      {!isReject && unseen !== null && warning !== 'none' ? `${label} anyway` : label}
      <KeyHint onAccent>{actionTexts[action].key}</KeyHint>
    </ChangeButton>
  )
}
