import { Archive, RefreshCw, Split as SplitIcon, Undo2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Note } from '#web/ui/note.tsx'
import { describeOrders, listOrders } from '#web/features/bank/desk/split/split-orders.ts'
import { listCandidateOrders } from './candidate-allocations.ts'
import { ReasonField, ReasonHelp } from './reason-field.tsx'
import { type Apply, useLineNeed } from './use-apply.ts'
import type { LineActions } from './use-line-actions.ts'
import type { LineWork } from './use-line-work.ts'

interface ActionBarProps {
  line: BankLine
  work: LineWork
  apply: Apply
  actions: LineActions
  /** Another operator has the line. */
  isHeld: boolean
  /** A press counts only once the line has been on the screen for a moment, and the chosen candidate too. */
  isReady: boolean
}

/** Where a line is decided: the reason where one is needed, and the buttons with their keys. */
export function ActionBar({ line, work, apply, actions, isHeld, isReady }: ActionBarProps) {
  const { split, obstacle, neededReason } = work
  const isLocked = isHeld || apply.mustReload
  const mayApply = !isLocked && obstacle === null && !work.isReasonMissing
  const isWaiting = mayApply && !isReady && !apply.isPending
  const isCredit = line.direction === 'credit'
  const id = useId()
  const need = useLineNeed(line, split ? listOrders(split.allocations) : listCandidateOrders(work.chosen))
  return (
    <div
      data-actions
      className="z-2 shrink-0 border-t bg-surface px-(--gutter) py-3 max-md:sticky max-md:bottom-0 max-md:very-low:static"
    >
      <Refusal {...{ line, work, apply }} />
      {/* What comes and goes stands above the row, so that Apply keeps its place. */}
      {neededReason !== null && <ReasonHelp {...{ id, work, actions, neededReason, isCredit }} isDisabled={isLocked} />}
      {need.reason !== null && mayApply && (
        <p role="note" className="mb-2 max-w-280 text-12 text-quiet">
          {need.reason}
        </p>
      )}
      <div className="flex max-w-280 flex-wrap items-center gap-2">
        {neededReason !== null ? (
          <ReasonField {...{ id, work, actions }} isDisabled={isLocked} />
        ) : (
          split &&
          obstacle && <p className="min-w-0 flex-1 basis-40 text-13 text-quiet max-md:basis-full">{obstacle}</p>
        )}
        <div className="ml-auto flex flex-wrap justify-end gap-2 max-md:basis-full">
          {split ? (
            <Button aria-keyshortcuts="Escape" onClick={actions.cancelSplit} className="max-md:flex-1">
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
            // In its first moment, and while its candidate was not in sight, and the eye is told so.
            {...(isWaiting && { 'aria-disabled': true })}
            className={cn(
              'transition-[background-color,border-color,color,opacity] max-md:order-first max-md:basis-full',
              isWaiting && 'opacity-50',
            )}
          >
            {need.nameAction({ label: nameApply(work) }).label}
            <KeyHint onAccent>↵</KeyHint>
          </ChangeButton>
        </div>
      </div>
      <KeyLegend isCredit={isCredit} isSplitting={split !== null} />
    </div>
  )
}

function nameApply({ split, leavesRest }: LineWork): string {
  if (split && split.allocations.length > 1) return `Apply ${split.allocations.length} Parts and Next`
  return leavesRest ? 'Apply and Split the Rest' : 'Apply and Next'
}

/** The server's refusal beside Apply. What was typed stays through a reload. */
function Refusal({ line, work, apply: { refusal, conflict } }: Pick<ActionBarProps, 'line' | 'work' | 'apply'>) {
  if (refusal === null && !conflict.wasReloaded) return null
  return (
    <div
      data-refusal
      // On a low screen it never takes the place of what is decided.
      className="mb-3 max-h-[30dvh] max-w-280 overflow-y-auto"
    >
      {refusal === null ? (
        <output>
          <Note>{describeReload(line, work)}</Note>
        </output>
      ) : (
        <Note tone="danger" role="alert">
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{refusal}</span>
            {conflict.isOffered && (
              <Button size="small" loading={conflict.isReloading} onClick={conflict.reload} className="text-ink">
                <RefreshCw aria-hidden />
                Reload
              </Button>
            )}
          </span>
        </Note>
      )}
    </div>
  )
}

/** What was typed stays, and how line and orders stand now. */
function describeReload(line: BankLine, { split, open }: LineWork): string {
  const standing = [
    `${formatAmount(open)} ${line.currency} of the line is open`,
    ...describeOrders(split?.allocations ?? []),
  ].join('; ')
  return `Reloaded. What you typed is still here. Now ${standing}.`
}

interface PlainButtonsProps {
  isCredit: boolean
  isDisabled: boolean
  actions: LineActions
}

/** Money that went out is not to be paid back. */
const PlainButtons = ({ isCredit, isDisabled, actions }: PlainButtonsProps) => (
  <>
    <PlainButton hotkey="S" disabled={isDisabled} onClick={actions.beginSplit}>
      <SplitIcon aria-hidden />
      Split
    </PlainButton>
    {isCredit && (
      <PlainButton hotkey="R" opensDialog disabled={isDisabled} onClick={actions.refund}>
        <Undo2 aria-hidden />
        Refund
      </PlainButton>
    )}
    <PlainButton hotkey="I" opensDialog disabled={isDisabled} onClick={actions.writeOff}>
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
const KeyLegend = ({ isCredit, isSplitting }: { isCredit: boolean; isSplitting: boolean }) => (
  <p
    aria-hidden
    className={cn(
      'mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-quiet max-roomy:hidden low:hidden [&_kbd]:mr-1',
      isSplitting && 'invisible',
    )}
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
