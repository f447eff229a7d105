import { Glasses } from 'lucide-react'
import type { RefCallback } from 'react'
import { maxLookNote } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { checkLength } from '#web/lib/length.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Note } from '#web/ui/note.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { isComplete } from './decision-texts.tsx'
import type { DecisionDraft } from './use-decision-draft.ts'

/** Asks for the note to a colleague. */
export function AnotherLookForm({
  verification: { user },
  draft,
}: {
  verification: Verification
  draft: DecisionDraft
}) {
  const { typed, setTyped, isBusy, canDecide } = draft
  return (
    <fieldset ref={focusFirstField} aria-label={`Another look at ${displayName(user)}`} className="min-w-0 space-y-3">
      <div>
        <h3 className="break-words">
          Another look at <bdi>{displayName(user)}</bdi>?
        </h3>
        <p className="mt-0.5 text-12 text-quiet">
          Leaves your queue and stays in that of the others, with this note. The platform is not told.
        </p>
      </div>
      <LongTextField
        label="Note to a colleague"
        {...checkLength(typed.look, maxLookNote)}
        data-first=""
        data-text=""
        value={typed.look}
        readOnly={isBusy}
        onType={(text) => setTyped({ ...typed, look: text })}
      />
      <div className="flex flex-wrap gap-2">
        <ChangeButton
          variant="primary"
          disabled={!canDecide || !isComplete('look', typed)}
          loading={isBusy}
          onClick={draft.confirm}
          className="flex-1"
        >
          <Glasses aria-hidden />
          Put Aside
          <KeyHint onAccent>Ctrl ↵</KeyHint>
        </ChangeButton>
        <Button disabled={isBusy} onClick={draft.cancel} className="flex-1">
          Cancel
          <KeyHint>Esc</KeyHint>
        </Button>
      </div>
    </fieldset>
  )
}

/** Who put the case aside, when and why. */
export function AnotherLookNote({ verification, draft }: { verification: Verification; draft: DecisionDraft }) {
  if (!verification.anotherLook) return null
  const { by, at, note } = verification.anotherLook
  return (
    <Note
      tone="warning"
      action={
        <ChangeButton size="small" loading={draft.isBusy} disabled={!draft.canDecide} onClick={draft.endLook}>
          No Longer Needed
        </ChangeButton>
      }
    >
      <bdi>{by}</bdi> asks for another look, <Instant value={at} />: <bdi className="break-words">{note}</bdi>
    </Note>
  )
}

/** A ref for a form that moves the focus to its first field as it appears. */
export const focusFirstField: RefCallback<HTMLElement> = (form) => {
  const first = form?.querySelector<HTMLElement>('[data-first]')
  first?.focus({ preventScroll: true })
  if (!(first instanceof HTMLTextAreaElement)) return
  first.setSelectionRange(first.value.length, first.value.length)
  // In a low window the field is under the buttons at first.
  first.scrollIntoView({ block: 'nearest' })
}
