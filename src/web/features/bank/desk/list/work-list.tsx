import { Fragment, memo, type MouseEvent, useEffect, useRef } from 'react'
import { lineAgeLabels } from '#contract/bank.ts'
import { suggestionLabels, suggestions } from '#contract/bank-allocations.ts'
import type { BankAccount, BankLine } from '#contract/schemas/bank.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { nameParty } from '#web/bank/words.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { splitFound } from '#web/features/bank/desk/line/found-text.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { useMovedLine } from './use-work-list.ts'
import { isWholeWork, mostWork, type WorkFilter, type WorkPlace } from '#web/features/bank/desk/queries.ts'

const shortDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', timeZone: 'UTC' })
const yearMs = 300 * 24 * 60 * 60 * 1000

/** A calendar day where there is little room: `Mar 14`, or `2025-03` when it is long past. */
function formatShortDay(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Date.now() - at > yearMs ? day.slice(0, 7) : shortDayFormat.format(at)
}

const filters: { value: WorkFilter; label: string }[] = [
  { value: 'todo', label: 'To do' },
  ...suggestions.map((value) => ({ value, label: suggestionLabels[value] })),
]

interface WorkFiltersProps {
  counts: BankAccount['work']
  place: WorkPlace
  onChoose: (work: WorkFilter) => void
}

/** Which lines are listed, each with its number. */
export const WorkFilters = ({ counts, place, onChoose }: WorkFiltersProps) => (
  <fieldset
    aria-label="Which lines"
    className="flex min-w-0 shrink-0 flex-wrap gap-1 border-b px-[calc(var(--gutter)-8px)] py-1.5 md:max-unfolded:gap-0.5"
  >
    {filters.map(({ value, label }) => (
      <button
        key={value}
        type="button"
        // What is narrowed in another way is not one of them.
        aria-pressed={value === 'todo' ? isWholeWork(place) : value === place.work}
        onClick={() => onChoose(value)}
        className="h-7 shrink-0 rounded-m px-2 text-12 font-medium whitespace-nowrap text-quiet transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink max-md:h-10 md:max-unfolded:px-1.5"
      >
        {label}{' '}
        <span className="font-regular tabular-nums">
          {formatCount(value === 'todo' ? counts.total : counts[value])}
        </span>
      </button>
    ))}
  </fieldset>
)

/** What narrows the list besides, each with a way to remove it. */
export const NarrowedBy = ({ place: { age, currency } }: { place: WorkPlace }) =>
  (age !== undefined || currency !== undefined) && (
    <div className="flex min-w-0 shrink-0 flex-wrap gap-1.5 border-b px-(--gutter) py-1.5">
      {age && <FilterChip label={lineAgeLabels[age]} parameter="age" />}
      {currency && <FilterChip label={currency} parameter="currency" />}
    </div>
  )

interface WorkRowsProps {
  lines: readonly BankLine[]
  total: number
  openId: string | undefined
  /** Shows lines of several accounts. */
  hasAccounts: boolean
  buildAddress: (id: string) => string
  onOpen: (id: string) => void
  onMore: (() => void) | undefined
  isLoadingMore: boolean
  /** The rows of another filter stay until these come. */
  isDimmed: boolean
}

/** The lines that are work, the oldest first. */
export function WorkRows({
  lines,
  total,
  openId,
  hasAccounts,
  isDimmed,
  onMore,
  isLoadingMore,
  ...rest
}: WorkRowsProps) {
  const { goneAt, cameId, clear } = useMovedLine(lines)
  return (
    <div className={cn('min-h-0', isDimmed && 'opacity-60 transition-opacity delay-150')}>
      <ul aria-label="Bank lines to do">
        {lines.map((line, at) => (
          <Fragment key={line.id}>
            {at === goneAt && <li aria-hidden onAnimationEnd={clear} className="animate-collapse bg-accent-soft" />}
            <WorkRow
              line={line}
              isOpen={line.id === openId}
              hasCome={line.id === cameId}
              hasAccount={hasAccounts}
              {...rest}
            />
          </Fragment>
        ))}
      </ul>
      {lines.length < total && (
        <div className="px-(--gutter) py-3 text-center text-12 text-quiet">
          {formatCount(lines.length)} of {formatCount(total)} lines
          {onMore ? (
            <Button size="small" loading={isLoadingMore} onClick={onMore} className="ml-3">
              Show More
            </Button>
          ) : (
            lines.length >= mostWork && '. The others come as these are done.'
          )}
        </div>
      )}
    </div>
  )
}

interface WorkRowProps extends Pick<WorkRowsProps, 'buildAddress' | 'onOpen'> {
  line: BankLine
  isOpen: boolean
  /** It has just come, as by an undo. */
  hasCome: boolean
  hasAccount: boolean
}

/** A click with a key opens another tab, as with any link. */
const isPlainClick = ({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent) =>
  !(ctrlKey || metaKey || shiftKey || altKey) && button === 0

const WorkRow = memo(function WorkRow({ line, isOpen, hasCome, hasAccount, ...rest }: WorkRowProps) {
  const { buildAddress, onOpen } = rest
  const { id, bookedOn, amount, currency, direction } = line
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li
      ref={row}
      aria-current={isOpen || undefined}
      className={cn(
        'relative grid h-16 grid-cols-[3rem_minmax(0,1fr)_auto] content-center gap-x-3 gap-y-1 border-b px-(--gutter) text-13 max-phone:grid-cols-[2.75rem_minmax(0,1fr)_auto] narrowest:h-auto narrowest:grid-cols-[minmax(0,1fr)] narrowest:py-2 forced-colors:aria-[current]:outline-2',
        hasCome && 'animate-flash',
        isOpen ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    >
      <span className="text-12 leading-4.5 whitespace-nowrap text-quiet tabular-nums">
        {bookedOn ? formatShortDay(bookedOn) : '–'}
      </span>
      <a
        href={buildAddress(id)}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onOpen(id)
        }}
        className="min-w-0 truncate font-medium outline-none! before:absolute before:inset-0 focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus"
      >
        <bdi>{nameParty(line)}</bdi>
      </a>
      <span className="whole-number text-right tabular-nums narrowest:text-left">
        <span className="font-medium">
          {direction === 'debit' && '−'}
          {formatAmount(amount)}
        </span>{' '}
        <span className="text-quiet">{currency}</span>
      </span>
      <span
        dir="auto"
        className={cn(
          'col-start-2 min-w-0 truncate text-12 leading-5.5 narrowest:col-start-1',
          isOpen ? 'text-ink' : 'text-quiet',
        )}
      >
        <FirstWords line={line} hasAccount={hasAccount} />
      </span>
      <span className="text-right narrowest:text-left">
        <OutcomeBadge line={line} />
      </span>
    </li>
  )
})

/** What was written, with the proposed numbers standing out. */
function FirstWords({ line, hasAccount }: { line: BankLine; hasAccount: boolean }) {
  const { remittance, info, accountName, proposedOrders } = line
  const text = (remittance.length > 0 ? remittance : info).join(' ')
  if (!text) return hasAccount ? accountName : 'No text'
  return splitFound(text, proposedOrders).map((piece, at) =>
    piece.isFound ? (
      <b key={at} className="font-medium text-ink">
        {piece.text}
      </b>
    ) : (
      <span key={at}>{piece.text}</span>
    ),
  )
}

export const LoadingRows = () => (
  <div>
    <output className="sr-only">Loading...</output>
    {Array.from({ length: 8 }, (_, row) => (
      <div key={row} className="flex h-16 items-center gap-4 border-b px-(--gutter)">
        <Skeleton className="h-4 w-10" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-24" />
      </div>
    ))}
  </div>
)
