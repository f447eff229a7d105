import { useQuery } from '@tanstack/react-query'
import { FileX, Lock } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail, BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { ApiError } from '#web/api.ts'
import { OpenApprovals } from '#web/approvals/approval-note.tsx'
import { formatClockTime, getServerNow } from '#web/lib/clock.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useCan } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { ActionBar } from './action-bar.tsx'
import { isWork } from './candidate-allocations.ts'
import { Candidates } from './candidates.tsx'
import { History } from './history.tsx'
import { type LineDialog, LineDialogs } from './line-dialogs.tsx'
import { LineHead, type LinePlace } from './line-head.tsx'
import { LineNotes } from './line-notes.tsx'
import { PaymentText } from './payment-text.tsx'
import { lineQuery, policyQuery } from '#web/features/bank/desk/queries.ts'
import { SplitView } from '#web/features/bank/desk/split/split-view.tsx'
import { type Apply, type Decision, useApply } from './use-apply.ts'
import { type LineClaim, useLineClaim } from './use-line-claim.ts'
import { type LineActions, useLineActions } from './use-line-actions.ts'
import { type LineWork, useLineWork } from './use-line-work.ts'

/** Where the operator goes on after a refusal or a reload, the first that is there. */
const places = [
  'input[data-amount][aria-invalid=true]',
  '[data-refusal] button',
  'input[data-amount]',
  '[data-candidate][aria-pressed=true]',
  '[data-candidate]',
]

/** The button that was pressed may be off now, or gone: moves the focus to what is wrong, else back to the row. */
function useFocusOnRefusal(form: RefObject<HTMLElement | null>, { refusal, conflict: { wasReloaded } }: Apply) {
  useEffect(() => {
    // A dialog shows the refusal itself.
    if ((refusal === null && !wasReloaded) || document.querySelector('[role=dialog], [role=alertdialog]')) return
    const target = places.map((place) => form.current?.querySelector<HTMLElement>(`${place}:enabled`)).find(Boolean)
    target?.focus()
  }, [form, refusal, wasReloaded])
}

/** A press counts once the candidates have been on the screen for so long: a double press never applies the next line. */
const lookMs = 300

function useIsLookedAt(isShown: boolean): boolean {
  const [isLookedAt, setLookedAt] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setLookedAt(true), lookMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return isLookedAt
}

export interface LineHandlers {
  place: LinePlace
  /** Whether the operator came here within the screen: then the focus comes along. */
  takesFocus: boolean
  onApplied: (decision: Decision) => void
  onUndo: (decision: Decision) => void
  onSent: () => void
}

interface OpenLineProps extends LineHandlers {
  id: string
  /** The line as the list has it, until it is loaded whole. */
  listed: BankLine | undefined
}

/** One line: loaded, failed, or there. */
export function OpenLine({ id, listed, ...handlers }: OpenLineProps) {
  const { data, error, isFetching, refetch } = useQuery(lineQuery(id))
  const line = data?.line ?? listed
  if (line && error instanceof ApiError && error.status === 404) return <GoneLine {...handlers.place} />
  if (line && !(error && !data)) return <LineForm line={line} detail={data} {...handlers} />
  if (error) return <LoadFailure size="page" what="The line" query={{ error, isFetching, refetch }} />
  return <LoadingLine />
}

/** A colleague has undone its import while it was open: nothing of it can be decided any more. */
const GoneLine = ({ onNext, onBack }: LinePlace) => (
  <EmptyState icon={FileX} title="This line is gone">
    <span role="alert">The import that brought it was undone meanwhile.</span>
    <Button size="small" onClick={onNext ?? onBack} className="mx-auto mt-2 flex">
      {onNext ? 'Next Line' : 'Back to the List'}
    </Button>
  </EmptyState>
)

export const LoadingLine = () => (
  <div className="gutter space-y-4 py-6">
    <output className="sr-only">Loading...</output>
    <Skeleton className="h-8 w-48" />
    <Skeleton className="h-4 w-80 max-w-full" />
    <Skeleton className="h-28 rounded-l" />
    <LoadingCandidates />
  </div>
)

const LoadingCandidates = () => (
  <div className="mt-5 space-y-3">
    <Skeleton className="h-5 w-28" />
    <Skeleton className="h-44 rounded-l" />
  </div>
)

interface LineFormProps extends LineHandlers {
  line: BankLine
  detail: BankLineDetail | undefined
}

function LineForm({ line, detail, place, takesFocus, onApplied, onUndo, onSent }: LineFormProps) {
  const mayApply = useCan('bank.apply')
  const canAct = mayApply && isWork(line)
  const work = useLineWork(line, detail, useQuery(policyQuery()).data?.policy)
  const apply = useApply(line, { onApplied, onUndo, onSent })
  const claim = useLineClaim(line.id, canAct)
  const holder = findHolder(detail, claim)
  const isHeld = holder !== null
  const [dialog, setDialog] = useState<LineDialog | null>(null)
  const isReady = useIsLookedAt(detail !== undefined) && (work.split !== null || work.isSeen)
  const actions = useLineActions({ line, detail, work, apply, isHeld, isReady, mayApply, setDialog })
  const undo = mayApply ? undoOf(line, onUndo) : undefined
  const focusHeading = useFocusOnOpen(takesFocus)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(form, apply)
  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label="Bank line"
        onSubmit={(event) => {
          event.preventDefault()
          actions.submit()
        }}
        className="flex h-full min-h-0 flex-col"
      >
        <ScrollingLine>
          <LineHead
            {...{ line, place }}
            reservedUntil={isHeld ? undefined : claim.until}
            headingRef={focusHeading}
            isSplitting={work.split !== null}
          />
          {isHeld && canAct && <HeldNote claim={claim} words={holder} />}
          <OpenApprovals type="bank_line" id={line.id} />
          <PaymentText line={line} found={detail?.found ?? []} />
          {detail ? <LineBody {...{ line, detail, work, apply, actions, canAct, isHeld }} /> : <LoadingCandidates />}
          {detail && <LineNotes id={line.id} notes={detail.notes} />}
          {detail && <History line={line} allocations={detail.allocations} onUndo={undo} />}
        </ScrollingLine>
        {canAct && detail && <ActionBar {...{ line, work, apply, actions, isReady, isHeld }} />}
      </form>
      {/* Beside the form: what their own forms send is theirs alone. */}
      <LineDialogs
        {...{ dialog, line, work, apply }}
        onFound={(candidate) => {
          setDialog(null)
          actions.takeFound(candidate)
        }}
        onClose={() => {
          apply.forget()
          setDialog(null)
        }}
      />
    </>
  )
}

const undoOf = (line: BankLine, onUndo: LineHandlers['onUndo']) => (allocation: BankAllocation) =>
  onUndo({ lineId: line.id, allocations: [allocation] })

const ScrollingLine = ({ children }: { children: ReactNode }) => (
  <section
    data-scrolls
    aria-label="What is known of the line"
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
    tabIndex={0}
    className="min-h-0 flex-1 overflow-y-auto px-(--gutter) pt-4 pb-4 -outline-offset-2! page-scrolls:overflow-visible"
  >
    <div className="max-w-240 min-[106.25rem]:max-w-280">{children}</div>
  </section>
)

/** Moves the focus to the heading when the operator opens the line, after a closing dialog has given it back. */
function useFocusOnOpen(takesFocus: boolean) {
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    const timer = setTimeout(() => moveFocus(heading.current))
    return () => clearTimeout(timer)
    // Only when the line opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (element: HTMLElement | null) => void (heading.current = element)
}

/** Who else has the line and until when, in words; null where nobody has. */
function findHolder(detail: BankLineDetail | undefined, claim: LineClaim): string | null {
  if (claim.refusal !== null) return claim.refusal
  const held = detail?.claim
  if (!held || held.isMine || Date.parse(held.until) <= getServerNow()) return null
  return `${held.by} has this line open until ${formatClockTime(held.until)}.`
}

const HeldNote = ({ claim, words }: { claim: LineClaim; words: string }) => (
  <Note tone="warning" role="note" className="mt-4">
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Lock aria-hidden className="size-3.5 shrink-0" />
      {words}
      <Button size="small" loading={claim.isPending} onClick={claim.retry} className="text-ink">
        Try Again
      </Button>
    </span>
  </Note>
)

interface LineBodyProps {
  line: BankLine
  detail: BankLineDetail
  work: LineWork
  apply: Apply
  actions: LineActions
  canAct: boolean
  isHeld: boolean
}

function LineBody({ line, detail, work, apply, actions, canAct, isHeld }: LineBodyProps) {
  const isDisabled = !canAct || isHeld
  if (!isWork(line)) return null
  return work.split ? (
    <SplitView
      line={line}
      split={work.split}
      open={work.open}
      excess={work.excess}
      isDisabled={isDisabled}
      isSending={apply.isPending}
      onChange={actions.changeSplit}
      onFind={actions.find}
      onRefund={actions.refund}
    />
  ) : (
    <Candidates {...{ line, detail, work, actions }} isDisabled={isDisabled || apply.isPending} />
  )
}
