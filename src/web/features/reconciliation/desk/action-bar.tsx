import { Archive, Split as SplitIcon, Undo2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { maxPartReason } from '#contract/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Note } from '#web/ui/note.tsx'
import type { Apply } from './use-apply.ts'
import type { LineActions } from './use-line-actions.ts'
import type { LineWork } from './use-line-work.ts'

interface ActionBarProps {
  line: BankLine
  work: LineWork
  apply: Apply
  actions: LineActions
  /** Another operator has the line. */
  isHeld: boolean
  /** A press counts only once the line has been on the screen for a moment. */
  isReady: boolean
}

/** Where a line is decided: the reason where one is needed, and the buttons with their keys. */
export function ActionBar({ line, work, apply, actions, isHeld, isReady }: ActionBarProps) {
  const { split, obstacle, neededReason } = work
  const isLocked = isHeld || apply.mustReload
  const mayApply = !isLocked && obstacle === null && !work.isReasonMissing
  const isCredit = line.direction === 'credit'
  return (
    <div className="z-2 shrink-0 border-t bg-surface px-(--gutter) py-3 max-md:sticky max-md:bottom-0 max-md:very-low:static">
      <Refusal apply={apply} />
      <div className="flex max-w-280 flex-wrap items-start gap-2">
        {neededReason !== null ? (
          <ReasonField {...{ work, actions, neededReason, isLocked }} />
        ) : (
          <span className="min-w-0 flex-1 basis-48 py-1.5 text-13 text-quiet max-md:hidden">{split && obstacle}</span>
        )}
        {split ? (
          <Button aria-keyshortcuts="Escape" onClick={() => void actions.cancelSplit()} className="max-md:flex-1">
            Cancel Split
            <KeyHint>Esc</KeyHint>
          </Button>
        ) : (
          <PlainButtons {...{ isCredit, actions }} isDisabled={isLocked || apply.isPending} />
        )}
        <ChangeButton
          type="submit"
          variant="primary"
          aria-keyshortcuts="Enter"
          disabled={!mayApply}
          loading={apply.isPending}
          // Only its first moment: nothing changes to the eye.
          {...(mayApply && !isReady && !apply.isPending && { 'aria-disabled': true })}
          className="max-md:order-first max-md:basis-full"
        >
          {nameApply(work)}
          <KeyHint onAccent>↵</KeyHint>
        </ChangeButton>
      </div>
      {split && obstacle && <p className="mt-2 text-12 text-quiet md:hidden">{obstacle}</p>}
      {!split && <KeyLegend isCredit={isCredit} />}
    </div>
  )
}

function nameApply({ split, leavesRest }: LineWork): string {
  if (split && split.parts.length > 1) return `Apply ${split.parts.length} Parts and Next`
  return leavesRest ? 'Apply and Split the Rest' : 'Apply and Next'
}

/** The server's refusal beside Apply. What was typed stays through a reload. */
function Refusal({ apply: { refusal, conflict } }: { apply: Apply }) {
  if (refusal !== null)
    return (
      <Note tone="danger" role="alert" className="mb-3 max-w-280">
        {refusal}
        <ConflictHelp conflict={conflict}>{null}</ConflictHelp>
      </Note>
    )
  if (!conflict.wasReloaded) return null
  return <Note className="mb-3 max-w-280">Reloaded. What you typed is still here; you can decide now.</Note>
}

interface ReasonFieldProps extends Pick<ActionBarProps, 'work' | 'actions'> {
  neededReason: string
  isLocked: boolean
}

function ReasonField({ work, actions, neededReason, isLocked }: ReasonFieldProps) {
  const { isReasonAsked, reasonRef } = actions
  const id = useId()
  const isMissing = isReasonAsked && work.isReasonMissing
  return (
    <div className="min-w-0 flex-1 basis-64 max-md:order-first max-md:basis-full">
      <Input
        ref={reasonRef}
        aria-label="Reason"
        aria-describedby={id}
        {...(isMissing && { 'aria-invalid': true })}
        required
        dir="auto"
        maxLength={maxPartReason}
        placeholder="Reason to take this payment"
        value={work.reason}
        disabled={isLocked}
        onChange={({ target }) => work.setReason(target.value)}
      />
      <span id={id}>
        <span className="sr-only">{neededReason}</span>
        {isMissing && <FieldError>Give a reason first.</FieldError>}
      </span>
    </div>
  )
}

interface PlainButtonsProps {
  isCredit: boolean
  isDisabled: boolean
  actions: LineActions
}

/** Money that went out is not to be paid back. */
const PlainButtons = ({ isCredit, isDisabled, actions }: PlainButtonsProps) => (
  <>
    <PlainButton hotkey="S" disabled={isDisabled} onClick={actions.split}>
      <SplitIcon aria-hidden />
      Split
    </PlainButton>
    {isCredit && (
      <PlainButton hotkey="R" opensDialog disabled={isDisabled} onClick={actions.refund}>
        <Undo2 aria-hidden />
        Refund
      </PlainButton>
    )}
    <PlainButton hotkey="I" opensDialog disabled={isDisabled} onClick={actions.putAside}>
      <Archive aria-hidden />
      Put Aside
    </PlainButton>
  </>
)

interface PlainButtonProps {
  hotkey: string
  opensDialog?: boolean
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

const PlainButton = ({ hotkey, opensDialog = false, children, ...rest }: PlainButtonProps) => (
  <ChangeButton
    aria-keyshortcuts={hotkey}
    {...(opensDialog && { 'aria-haspopup': 'dialog' })}
    {...rest}
    className="max-md:flex-1 max-md:px-1.5"
  >
    {children}
    <KeyHint>{hotkey}</KeyHint>
  </ChangeButton>
)

/** The keys that have no button here. */
const KeyLegend = ({ isCredit }: { isCredit: boolean }) => (
  <p
    aria-hidden
    className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-quiet max-roomy:hidden low:hidden [&_kbd]:mr-1"
  >
    <span>
      <kbd>J</kbd>
      <kbd>K</kbd>line
    </span>
    <span>
      <kbd>1</kbd>–<kbd className="ml-1">5</kbd>
      {isCredit ? 'order' : 'payment'}
    </span>
    <span>
      <kbd>N</kbd>next unclear
    </span>
    <span>
      <kbd>U</kbd>undo my last
    </span>
    <span>
      <kbd>E</kbd>exact
    </span>
    <span>
      <kbd>?</kbd>all keys
    </span>
  </p>
)
