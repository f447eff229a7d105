import { Check, CircleQuestionMark, Minus, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { matchFlagLabels } from '#contract/bank-allocations.ts'
import type { OrderStatus } from '#contract/order-moves.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate, CandidateOrder, OrderCandidate } from '#contract/schemas/bank-candidates.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { cn } from '#web/lib/cn.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { Link } from '#web/link.tsx'
import { BannedBadge } from '#web/members/badges.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { paths } from '#web/paths.ts'
import { Instant } from '#web/ui/instant.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { AccountComparisons } from './account-comparison.tsx'
import { nameMember, nameTarget } from './candidate-allocations.ts'
import { CreditTarget, TransferTarget } from './credit-target.tsx'
import { MemberKey } from './member-key.tsx'
import { ExactBadge, LikelyBadge, OutcomeBadge } from '#web/features/bank/desk/list/outcome-badge.tsx'

interface CandidateCardProps {
  candidate: Candidate
  line: BankLine
  /** Its key, from 1. */
  number: number
  /** It may be applied with others, which the line is called by, too. */
  isExact: boolean
  isChosen: boolean
  isDisabled: boolean
  /** How often the operator has chosen, while this one is chosen. */
  presses: number
  onChoose: () => void
  /** Most of the card has been on the screen. */
  onSeen: () => void
}

/** One way to apply a line: whose order, what is measured against what, what speaks for it and against it. */
export function CandidateCard({
  candidate,
  line,
  number,
  isExact,
  isChosen,
  isDisabled,
  presses,
  onChoose,
  onSeen,
}: CandidateCardProps) {
  const button = useRef<HTMLButtonElement>(null)
  useSeen(button, onSeen)
  const id = useId()
  useShownWhenChosen(button, presses)
  const { kind, reasons, needsReason } = candidate
  return (
    <li
      className={cn(
        // Above the bar of buttons that stands over the end of the page.
        'relative grid scroll-my-3 grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 border-b px-4 py-3 last:border-b-0 max-phone:px-3',
        needsReason === null ? 'max-md:scroll-mb-48' : 'max-md:scroll-mb-72',
        'very-low:scroll-mb-3',
        isChosen ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    >
      <button
        ref={button}
        type="button"
        data-candidate
        aria-describedby={id}
        aria-pressed={isChosen}
        aria-keyshortcuts={String(number)}
        disabled={isDisabled}
        onClick={onChoose}
        // Covers the card, so that all of it chooses; links lie above.
        className="mt-px h-5 rounded-s text-left outline-none! before:absolute before:inset-0 focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus"
      >
        <span className="sr-only">Choose {nameTarget(candidate)}</span>
        <kbd aria-hidden className={cn('h-5! min-w-5!', isChosen && 'border-accent! bg-accent! text-on-accent!')}>
          {number}
        </kbd>
      </button>
      <div id={id} className="min-w-0">
        <Targets {...{ candidate, line, isExact, isChosen }} />
        <Reasons reasons={reasons} />
        {kind === 'order' && <AccountComparisons candidate={candidate} line={line} />}
        <Warnings {...(kind === 'order' ? candidate : { flags: [], refusal: null, needsReason })} />
      </div>
    </li>
  )
}

/** What a candidate applies the line to: the earlier payments of money that went out, the transfer that came back, or orders. */
function Targets({
  candidate,
  line,
  isExact,
  isChosen,
}: Pick<CandidateCardProps, 'candidate' | 'line' | 'isExact' | 'isChosen'>) {
  const { kind } = candidate
  if (kind === 'order') return <OrderTargets {...{ candidate, isExact, isChosen }} />
  const badge = <OutcomeBadge line={{ ...line, outcome: kind, flags: [] }} />
  if (kind === 'return') return <TransferTarget transfer={candidate.transfer} badges={badge} />
  const { credits, orders, allocations } = candidate
  return credits.map((credit, at) => (
    <CreditTarget
      key={credit.lineId}
      credit={credit}
      isTakenBack={kind === 'reversal'}
      // Which of the orders each of several payments was applied to is not told.
      orders={credits.length === 1 ? orders : []}
      allocations={allocations}
      badges={at === 0 && badge}
    />
  ))
}

const OrderTargets = ({
  candidate: { orders, allocations, isLikely, refusal },
  isExact,
  isChosen,
}: Pick<CandidateCardProps, 'isExact' | 'isChosen'> & { candidate: OrderCandidate }) =>
  orders.map((order, at) => (
    <OrderTarget
      key={order.id}
      order={order}
      allocation={orders.length > 1 ? allocations.find(({ orderId }) => orderId === order.id)?.amount : undefined}
      isFirst={at === 0}
      isChosen={isChosen}
      badges={at === 0 && isLikely && refusal === null && (isExact ? <ExactBadge /> : <LikelyBadge />)}
    />
  ))

/** Half of a card, or half of the screen full of it. On a phone the bar of buttons lies over the screen's end. */
function useSeen(button: RefObject<HTMLButtonElement | null>, onSeen: () => void) {
  const report = useEffectEvent(onSeen)
  useEffect(() => {
    const card = button.current?.closest('li')
    const bar = card?.closest('form')?.querySelector<HTMLElement>('[data-actions]')
    if (!card) return
    const covered = bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
    const observer = new IntersectionObserver(
      ([entry]) => {
        const { intersectionRatio, intersectionRect, rootBounds } = entry!
        if (intersectionRatio < 0.5 && !(rootBounds && intersectionRect.height >= rootBounds.height / 2)) return
        observer.disconnect()
        report()
      },
      { rootMargin: `0px 0px -${covered}px`, threshold: [0.1, 0.2, 0.3, 0.4, 0.5] },
    )
    observer.observe(card)
    return () => observer.disconnect()
  }, [button])
}

/** Brings a card into view, with the focus in it, each time that the operator has chosen it: its number is heard with what it says. */
function useShownWhenChosen(button: RefObject<HTMLButtonElement | null>, presses: number) {
  useEffect(() => {
    if (presses === 0) return
    // After a closing dialog has given the focus back.
    const timer = setTimeout(() => {
      moveFocus(button.current)
      button.current?.closest('li')?.scrollIntoView({ block: 'nearest' })
    })
    return () => clearTimeout(timer)
  }, [button, presses])
}

interface OrderTargetProps {
  order: CandidateOrder
  /** What this order would get, where several share the line. */
  allocation: string | undefined
  /** All orders of a candidate are one member's, who is named once. */
  isFirst: boolean
  isChosen: boolean
  badges: ReactNode
}

function OrderTarget({ order, allocation, isFirst, isChosen, badges }: OrderTargetProps) {
  const { id, orderNumber, status, userId, userBanned, projectName, expiresAt, investmentAmount, received } = order
  const { outstanding, currency } = order
  const isClosed = isZero(outstanding)
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 not-first:mt-2">
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-13">
          <Link {...paths.order(id)} className="relative min-w-0 font-semibold wrap-anywhere link-subject hit-area">
            <bdi>{orderNumber}</bdi>
          </Link>
          <OrderBadge status={status} />
          {badges}
          {userBanned && <BannedBadge />}
        </p>
        <p className={cn('mt-1 text-13 wrap-anywhere', !isChosen && 'text-quiet')}>
          <Link {...paths.member(userId)} className="relative text-ink link-subject hit-area">
            <bdi>{nameMember(order)}</bdi>
          </Link>{' '}
          · <bdi>{projectName}</bdi> <Expiry {...{ expiresAt, status }} />
        </p>
        {isFirst && <MemberKey order={order} isStrong={isChosen} />}
      </div>
      <p className="text-right text-13 max-roomy:text-left">
        <span className="whole-number font-semibold tabular-nums">
          {formatAmount(allocation ?? (isClosed ? investmentAmount : outstanding))}{' '}
          <span className={cn('font-regular', !isChosen && 'text-quiet')}>{currency}</span>
        </span>
        <span className={cn('block text-12 tabular-nums max-roomy:ml-2 max-roomy:inline', !isChosen && 'text-quiet')}>
          {isZero(received)
            ? 'nothing received yet'
            : isClosed
              ? `${formatAmount(received)} received`
              : `outstanding of ${formatAmount(investmentAmount)}`}
        </span>
      </p>
    </div>
  )
}

/** The end of an order that waits, or waited, for money. */
function Expiry({ expiresAt, status }: { expiresAt: string; status: OrderStatus }) {
  const [openedAt] = useState(getServerNow)
  const isPast = Date.parse(expiresAt) <= openedAt
  if (status === 'waiting_payment' && !isPast)
    return (
      <span className="whitespace-nowrap">
        · expires <TimeLeft until={expiresAt} />
      </span>
    )
  if (status !== 'waiting_payment' && status !== 'expired') return null
  return (
    <>
      · expired <Instant value={expiresAt} />
    </>
  )
}

/** A tick is a proof. What proves nothing has a quiet mark, whichever way it speaks. */
const reasonLooks = {
  for: { Icon: Check, label: 'For: ', tone: 'text-success-ink' },
  check: { Icon: CircleQuestionMark, label: 'To check: ', tone: 'text-quiet' },
  against: { Icon: Minus, label: 'Against: ', tone: 'text-quiet' },
}

const Reasons = ({ reasons }: Pick<Candidate, 'reasons'>) => (
  <ul aria-label="Reasons" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12">
    {reasons.map(({ text, speaks }) => {
      const { Icon, label, tone } = reasonLooks[speaks]
      return (
        <li key={text} className={cn('inline-flex min-w-0 items-start gap-1.5', speaks === 'against' && 'text-quiet')}>
          <Icon aria-hidden className={cn('mt-px size-3.5 shrink-0', tone)} />
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">{label}</span>
            {text}
          </span>
        </li>
      )
    })}
  </ul>
)

/** What has to be decided by a person, and why it can't be applied at all. */
function Warnings({ flags, refusal, needsReason }: Pick<OrderCandidate, 'flags' | 'refusal' | 'needsReason'>) {
  if (flags.length === 0 && refusal === null && needsReason === null) return null
  return (
    <div className="mt-2 flex items-start gap-2 rounded-m bg-warning-soft px-3 py-1.5 text-12 text-warning-ink">
      <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <p className="min-w-0 wrap-anywhere">
        {flags.length > 0 && <b>{flags.map((flag) => matchFlagLabels[flag]).join(', ')}. </b>}
        {refusal ?? needsReason}
      </p>
    </div>
  )
}
