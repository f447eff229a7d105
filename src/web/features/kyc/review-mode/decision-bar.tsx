import { useQuery } from '@tanstack/react-query'
import { ArrowRight, RefreshCw } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { kycMove } from '#contract/kyc-moves.ts'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import { formatClockTime } from '#web/lib/clock.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { formatCount } from '#web/lib/money.ts'
import { decisionLooks } from '#web/reviews/decision-looks.ts'
import { waitingCasesQuery } from '#web/reviews/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Note } from '#web/ui/note.tsx'
import type { ClaimedCase } from './use-case-claim.ts'
import type { DecisionDraft } from './use-decision-draft.ts'
import { useIsPast } from '#web/ui/use-activity-heartbeat.ts'

const keys: Record<ReviewAction, string> = { approve: 'A', reject: 'R' }

/** The buttons for a case. A decision is confirmed in a form, skipping is not. */
export function DecisionButtons({ draft, onNext }: { draft: DecisionDraft; onNext: () => void }) {
  const { canDecide, isBusy, offered, returnFocusTo, choose } = draft
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // When the case belongs to another operator, only “Next” is enabled.
    const button = returnFocusTo && `[data-action=${returnFocusTo}]:enabled, :scope > :last-child`
    if (button) row.current?.querySelector<HTMLElement>(button)?.focus({ preventScroll: true })
  }, [returnFocusTo])
  return (
    <div ref={row} className="flex flex-wrap gap-2 [&>*]:flex-auto [&>*]:px-2">
      {offered.map((action) => {
        const { icon: Icon, tone } = decisionLooks[action]
        return (
          <ChangeButton
            key={action}
            data-action={action}
            variant={tone}
            aria-keyshortcuts={keys[action]}
            disabled={!canDecide}
            onClick={() => choose(action)}
          >
            <Icon aria-hidden />
            {kycMove(action).button}
            <KeyHint onAccent={tone === 'primary'}>{keys[action]}</KeyHint>
          </ChangeButton>
        )
      })}
      <ChangeButton
        data-action="look"
        aria-keyshortcuts="Q"
        title="Put the case aside for a colleague, with a note"
        disabled={!canDecide}
        onClick={() => choose('look')}
      >
        Another Look
        <KeyHint>Q</KeyHint>
      </ChangeButton>
      <NextButton isBusy={isBusy} onNext={onNext} />
    </div>
  )
}

const NextButton = ({ isBusy, onNext }: { isBusy: boolean; onNext: () => void }) => (
  <Button aria-keyshortcuts="N" loading={isBusy} onClick={onNext}>
    Next
    <ArrowRight aria-hidden className="roomy:max-wide:hidden" />
    <KeyHint>N</KeyHint>
  </Button>
)

/** Moves the focus to the note's button, since the focused one may be disabled now. Leaves it in a text field. */
const focusNextButton = (note: HTMLElement | null) => moveFocus(note?.querySelector('button'))

/** Says that the case belongs to another operator, or is decided. The case and typed text stay readable. */
export const LostCaseNote = ({
  children,
  isBusy,
  onNext,
  onRetry,
}: {
  children: string
  isBusy: boolean
  onNext: () => void
  /** Claims the case. Undefined once it is decided. */
  onRetry: (() => void) | undefined
}) => (
  <div ref={focusNextButton}>
    <Note tone="warning" role="alert">
      <p className="mb-2">{children}</p>
      <span className="flex flex-wrap gap-2">
        <NextButton isBusy={isBusy} onNext={onNext} />
        {onRetry && <Button onClick={onRetry}>Try Again</Button>}
      </span>
    </Note>
  </div>
)

/** The Reload button disappears after a reload. Its focus moves to the decision. */
const moveFocusOnReload = (note: HTMLElement | null) => () => {
  if (!note?.contains(document.activeElement)) return
  note.parentElement?.querySelector<HTMLElement>('textarea, [data-action]')?.focus({ preventScroll: true })
}

interface RefusalNoteProps {
  children: string
  /** Set where claiming the case again helps. */
  onReload: (() => void) | undefined
  isReloading: boolean
}

/** The server's refusal of a decision that can still be made. */
export const RefusalNote = ({ children, onReload, isReloading }: RefusalNoteProps) => (
  <div ref={moveFocusOnReload}>
    <Note tone="danger" role="alert">
      {children}
      {onReload && (
        <p className="mt-2">
          <Button size="small" loading={isReloading} onClick={onReload}>
            <RefreshCw aria-hidden />
            Reload
          </Button>
        </p>
      )}
    </Note>
  </div>
)

interface ReservationProps {
  claimed: ClaimedCase
  /** Whether the case is still this operator's. */
  isReserved: boolean
}

/** The place of the case among those that wait (“12 of 247 waiting”), and until when this one is reserved. */
export function ReservationStatus({ claimed, isReserved }: ReservationProps) {
  const waiting = useQuery(waitingCasesQuery()).data?.total ?? claimed.waiting
  const isOver = useIsPast(claimed.lapsesAt)
  const { claimedUntil } = claimed.reviewed
  const until: ReactNode = claimedUntil && (
    <time dateTime={claimedUntil} title={claimedUntil} className="tabular-nums">
      {formatClockTime(claimedUntil)}
    </time>
  )
  return (
    <p className="flex flex-wrap justify-between gap-x-3 text-12 text-quiet">
      <span className="tabular-nums" title="Its place among the cases that wait, the oldest first">
        {claimed.position !== null && `${formatCount(claimed.position)} of `}
        {formatCount(Math.max(waiting, claimed.position ?? 0))} waiting
      </span>
      {!isReserved ? null : isOver ? (
        <span>Your reservation ended at {until}. Go on to reserve the case again.</span>
      ) : (
        <span>Yours until {until}</span>
      )}
    </p>
  )
}
