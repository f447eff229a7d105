import { ArrowLeft, ChevronDown, ChevronUp, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { nameUnknown } from '#web/bank/words.ts'
import { LineStateBadge } from '#web/bank/line-state-badge.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatClockTime } from '#web/lib/clock.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { calculateOpen, isWork } from './candidate-allocations.ts'
import { FlagBadge, OutcomeBadge } from '#web/features/bank/desk/list/outcome-badge.tsx'

export interface LinePlace {
  /** "3 of 173"; empty for a line that is not in the list. */
  position: string
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  /** Where list and line do not stand side by side. */
  onBack: () => void
}

interface LineHeadProps {
  line: BankLine
  place: LinePlace
  /** Until when the line is the operator's. */
  reservedUntil: string | undefined
  /** Gets the heading, to move the focus to it. */
  headingRef: (heading: HTMLElement | null) => void
  isSplitting: boolean
}

/** How much, from whom, and when; what is odd about it. */
export function LineHead({ line, place, reservedUntil, headingRef, isSplitting }: LineHeadProps) {
  const { amount, currency, direction, allocated, payer, bookedOn } = line
  const name = payer.name ?? (payer.account === null ? null : formatAccountNumber(payer.account))
  return (
    <>
      <div className="-mt-1 flex items-center justify-between gap-2 roomy:hidden">
        <Button variant="ghost" onClick={place.onBack} className="-ml-3 text-ink">
          <ArrowLeft aria-hidden />
          Lines
        </Button>
        <span className="text-13 text-quiet tabular-nums">{place.position}</span>
      </div>
      <div className="flex items-start justify-between gap-x-6">
        <div className="min-w-0">
          <h2 ref={headingRef} tabIndex={-1} className="text-28! leading-[2.125rem]! tracking-[-0.028em]! outline-none">
            <span className="whole-number tabular-nums">
              {direction === 'debit' && '−'}
              {formatAmount(amount)} <span className="text-16 font-regular tracking-normal text-quiet">{currency}</span>
            </span>
            {!isZero(allocated) && isWork(line) && (
              <span className="ml-3 text-13 font-regular tracking-normal text-quiet">
                {formatAmount(calculateOpen(line))} {currency} of it open
              </span>
            )}
          </h2>
          <p className="mt-1 flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-13 text-quiet">
            {direction === 'credit' ? 'from' : 'to'}{' '}
            <bdi className="min-w-0 font-semibold text-ink wrap-anywhere">
              {name ?? nameUnknown(line).toLowerCase()}
            </bdi>
            <span aria-hidden>·</span>
            <span className="whitespace-nowrap">{bookedOn ? `booked ${formatDay(bookedOn)}` : 'not booked'}</span>
            <LineBadges line={line} isSplitting={isSplitting} />
          </p>
        </div>
        <span className="flex min-h-8 shrink-0 items-center gap-1 text-12 whitespace-nowrap text-quiet max-roomy:hidden">
          {reservedUntil && (
            <span className="mr-2 inline-flex items-center gap-1.5 max-wide:hidden">
              <Lock aria-hidden className="size-3.5" />
              Yours until <span className="tabular-nums">{formatClockTime(reservedUntil)}</span>
            </span>
          )}
          <span className="mr-1 tabular-nums">{place.position}</span>
          <StepButton label="Previous line" hotkey="K" onPress={place.onPrevious}>
            <ChevronUp aria-hidden />
          </StepButton>
          <StepButton label="Next line" hotkey="J" onPress={place.onNext}>
            <ChevronDown aria-hidden />
          </StepButton>
        </span>
      </div>
    </>
  )
}

export function LineBadges({ line, isSplitting = false }: { line: BankLine; isSplitting?: boolean }) {
  if (!isWork(line)) return <LineStateBadge state={line.state} />
  return (
    <span className="flex flex-wrap gap-1.5">
      {line.flags.length > 0 ? (
        line.flags.map((flag) => <FlagBadge key={flag} flag={flag} />)
      ) : (
        <OutcomeBadge line={line} />
      )}
      {line.isReversal && <span className="text-warning-ink">Takes back an earlier line</span>}
      {isSplitting && <span className="sr-only">Splitting</span>}
    </span>
  )
}

interface StepButtonProps {
  label: string
  hotkey: string
  onPress: (() => void) | undefined
  children: ReactNode
}

const StepButton = ({ label, hotkey, onPress, children }: StepButtonProps) => (
  <IconButton label={label} aria-keyshortcuts={hotkey} disabled={!onPress} onClick={onPress} className="size-7!">
    {children}
  </IconButton>
)
