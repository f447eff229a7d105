import type { BankLine } from '#contract/schemas/bank.ts'
import { compareAmounts, formatAmount, isZero } from '#web/bank/amounts.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { findRestOffer } from './split-orders.ts'
import { calculateRest, sumAllocations, type Split, type SplitAction } from './split-state.ts'

interface SplitRestProps {
  line: BankLine
  split: Split
  open: string
  onChange: (action: SplitAction) => void
}

/** What is left, said while amounts are typed, and the two ways to deal with it: give it to an order, or leave it open. */
export function SplitRest({ line: { currency }, split, open, onChange }: SplitRestProps) {
  const rest = calculateRest(split, open)
  const isOver = compareAmounts(rest, '0') < 0
  const isDone = isZero(rest)
  const offer = findRestOffer(split.allocations, rest)
  return (
    <div
      className={cn(
        'mt-3 flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 rounded-l px-4 py-2.5 text-13',
        isOver
          ? 'bg-danger-soft text-danger-ink'
          : isDone
            ? 'bg-success-soft text-success-ink'
            : 'bg-warning-soft text-warning-ink',
      )}
    >
      <output className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        {isOver ? (
          <>
            <span className="text-20 font-semibold whole-number tabular-nums">
              {formatAmount(rest.replace('-', ''))} <span className="text-13 font-regular">{currency}</span>
            </span>
            too much
          </>
        ) : (
          <>
            Rest
            <span className="text-20 font-semibold whole-number tabular-nums">
              {formatAmount(rest)} <span className="text-13 font-regular">{currency}</span>
            </span>
          </>
        )}
        <span className="tabular-nums">
          {formatAmount(sumAllocations(split))} of {formatAmount(open)} given out
        </span>
      </output>
      {!isDone && !isOver && (
        <label className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            checked={split.leavesRest}
            onChange={({ target }) => onChange({ type: 'leavesRest', leavesRest: target.checked })}
            className="size-4 shrink-0 accent-(--accent)"
          />
          Leave the rest open
        </label>
      )}
      {!isDone && offer && (
        <Button size="small" onClick={() => onChange({ type: 'rest', key: offer.allocation.key })} className="text-ink">
          {isOver ? 'Take' : 'Give'} {nameShare(offer.share, rest)} {isOver ? 'from' : 'to'}{' '}
          {offer.allocation.order.orderNumber}
        </Button>
      )}
    </div>
  )
}

/** "it" is all of the rest; else the order's share. */
const nameShare = (share: string, rest: string): string =>
  compareAmounts(share, rest) === 0 ? 'it' : formatAmount(share.replace('-', ''))
