import { Archive, RefreshCw, Split as SplitIcon, Undo2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { maxPartReason } from '#contract/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { CandidateOrder } from '#contract/schemas/reconciliation.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Note } from '#web/ui/note.tsx'
import { listOrders } from './split-orders.ts'
import { nameMember } from './candidate-words.ts'
import { describeOrders } from './split-orders.ts'
import type { Apply } from './use-apply.ts'
import { useLineNeed } from './use-line-need.ts'
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
  const isWaiting = mayApply && !isReady && !apply.isPending
  const isCredit = line.direction === 'credit'
  const need = useLineNeed(line, split ? listOrders(split.parts) : work.chosen?.orders)
  return (
    <div className="z-2 shrink-0 border-t bg-surface px-(--gutter) py-3 max-md:sticky max-md:bottom-0 max-md:very-low:static">
      <Refusal {...{ line, work, apply }} />
      <div className="flex max-w-280 flex-wrap items-start gap-2">
        {neededReason !== null ? (
          <ReasonField {...{ work, actions, neededReason, isLocked, isCredit }} />
        ) : (
          <span className="min-w-0 flex-1 basis-48 py-1.5 text-13 text-quiet max-md:hidden">{split && obstacle}</span>
        )}
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
          // In its first moment, and the eye is told so.
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
      {split && obstacle && <p className="mt-2 text-12 text-quiet md:hidden">{obstacle}</p>}
      {need.reason !== null && mayApply && (
        <p role="note" className="mt-2 max-w-280 text-12 text-quiet">
          {need.reason}
        </p>
      )}
      {!split && <KeyLegend isCredit={isCredit} />}
    </div>
  )
}

function nameApply({ split, leavesRest }: LineWork): string {
  if (split && split.parts.length > 1) return `Apply ${split.parts.length} Parts and Next`
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
    ...describeOrders(split?.parts ?? []),
  ].join('; ')
  return `Reloaded. What you typed is still here. Now ${standing}.`
}

interface ReasonFieldProps extends Pick<ActionBarProps, 'work' | 'actions'> {
  neededReason: string
  isLocked: boolean
  isCredit: boolean
}

function ReasonField({ work, actions, neededReason, isLocked, isCredit }: ReasonFieldProps) {
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
        placeholder={isCredit ? 'Reason to take this payment' : 'Reason to pay another account'}
        value={work.reason}
        disabled={isLocked}
        onChange={({ target }) => actions.setReason(target.value)}
      />
      <span id={id}>
        <span className={isCredit ? 'sr-only' : 'mt-1 block text-12 wrap-anywhere text-quiet'}>{neededReason}</span>
        {work.reasonFor && <ReasonFor order={work.reasonFor} />}
        {isMissing && <FieldError>Give a reason first.</FieldError>}
      </span>
    </div>
  )
}

/** Whose payment is explained: e-mail and id tell namesakes apart. */
const ReasonFor = ({ order }: { order: CandidateOrder }) => (
  <span className="mt-1 block text-12 wrap-anywhere text-quiet">
    <bdi>{order.orderNumber}</bdi> of <bdi>{nameMember(order)}</bdi> · <bdi>{order.userEmail}</bdi> ·{' '}
    <bdi>{order.userId}</bdi>
  </span>
)

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
