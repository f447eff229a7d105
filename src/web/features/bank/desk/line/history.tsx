import { Archive, CornerDownLeft, FileInput, Receipt, RotateCcw, Undo2, type LucideIcon } from 'lucide-react'
import type { AllocationPurpose } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { cn } from '#web/lib/cn.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { describePurpose, formatAllocationMoney } from './allocation-words.ts'

const icons: Record<AllocationPurpose, LucideIcon> = {
  order: Receipt,
  refund: Undo2,
  reversal: RotateCcw,
  return: CornerDownLeft,
  ignored: Archive,
}

interface HistoryProps {
  line: BankLine
  allocations: readonly BankAllocation[]
  /** Undefined for an operator who may not undo. */
  onUndo: ((allocation: BankAllocation) => void) | undefined
}

/** What was decided about a line, newest first, and how it came. */
export const History = ({ line, allocations, onUndo }: HistoryProps) => (
  <section aria-label="History" className="mt-6 mb-2">
    <h3 className="mb-1">History</h3>
    <ul>
      {allocations.map((allocation) => (
        <AllocationEntry key={allocation.id} line={line} allocation={allocation} onUndo={onUndo} />
      ))}
      <li className="flex items-start gap-2.5 py-2 text-13 text-quiet">
        <FileInput aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0 flex-1 wrap-anywhere">
          Imported{line.statementNumber ? ` with statement ${line.statementNumber}` : ''}
        </span>
        <Instant value={line.importedAt} className="text-right text-12" />
      </li>
    </ul>
  </section>
)

const nameOtherLine = ({ direction }: BankLine, { purpose }: BankAllocation): string => {
  if (direction === 'credit') return 'Show the transfer'
  return purpose === 'return' ? 'Show the return' : 'Show the payment'
}

type EntryProps = Omit<HistoryProps, 'allocations'> & { allocation: BankAllocation }

function AllocationEntry({ line, allocation, onUndo }: EntryProps) {
  const { purpose, madeBy, madeAt, reason, rule, undoneAt, undoneBy, undoReason, undoRefusal } = allocation
  const Icon = icons[purpose]
  const isUndone = undoneAt !== null
  return (
    <li className="flex flex-wrap items-start gap-x-2.5 gap-y-1 border-b py-2 text-13">
      <Icon aria-hidden className="mt-px size-4 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <span className={cn(isUndone && 'text-quiet line-through')}>
          <span className="font-medium tabular-nums">{formatAllocationMoney(allocation)}</span>{' '}
          {describePurpose(allocation)}
        </span>
        {allocation.otherLineId !== null && (
          <Link
            {...paths.bank({ line: allocation.otherLineId })}
            className="hit-line ml-1.5 link-reference font-medium"
          >
            {nameOtherLine(line, allocation)}
          </Link>
        )}
        <span className="block text-12 text-quiet">
          by <bdi>{madeBy}</bdi>
          {rule === 'exact' && ', with others that fit exactly'}
          {reason && (
            <>
              : <bdi className="text-ink">{reason}</bdi>
            </>
          )}
        </span>
        {undoneAt && (
          <span className="block text-12 text-quiet">
            Undone by <bdi>{undoneBy}</bdi> <Instant value={undoneAt} />
            {undoReason && (
              <>
                : <bdi className="text-ink">{undoReason}</bdi>
              </>
            )}
          </span>
        )}
        {!isUndone && undoRefusal !== null && <span className="block text-12 text-quiet">{undoRefusal}</span>}
      </div>
      <Instant value={madeAt} className="text-right text-12 leading-4.5 text-quiet" />
      {!isUndone && onUndo && (
        <ChangeButton
          size="small"
          aria-haspopup="dialog"
          aria-label={`Undo ${formatAllocationMoney(allocation)} ${describePurpose(allocation)}`}
          disabled={undoRefusal !== null}
          onClick={() => onUndo(allocation)}
          className="-my-1"
        >
          Undo
        </ChangeButton>
      )}
    </li>
  )
}
