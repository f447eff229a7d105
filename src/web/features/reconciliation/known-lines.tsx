import { bankDirectionLabels } from '#contract/bank.ts'
import { formatCount } from '#web/lib/money.ts'
import { Button } from '#web/ui/button.tsx'
import { formatAmount } from '#web/bank/amounts.ts'
import type { ImportReply } from './upload.ts'

interface KnownLinesProps {
  reply: ImportReply
  onTake: (rows: number[]) => void
}

/** Lines of a CSV file that equal lines of another file. Only a person can tell whether they are other payments. */
export function KnownLines({ reply: { knownLines, import: taken, statements }, onTake }: KnownLinesProps) {
  if (knownLines.length === 0) return null
  const currency = statements[0]?.currency
  return (
    <div className="mt-2.5 border-t pt-2">
      <h3 className="text-13">Known before ({formatCount(taken.linesKnown)})</h3>
      <p className="text-12 text-quiet">
        Equal lines came with another file, and are not taken twice. Import one anyway if it is another payment.
      </p>
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={knownLines.length > 4 ? 0 : undefined}
        aria-label="Known before"
        className="mt-1.5 grid max-h-48 gap-1.5 overflow-y-auto"
      >
        {knownLines.map(({ row, bookedOn, direction, amount, payer, text }) => (
          <li key={row} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <span className="text-quiet">Row {row}</span> {bookedOn} <bdi>{payer}</bdi>{' '}
              <bdi className="text-quiet">{text}</bdi>
            </span>
            <span className="tabular-nums">
              {bankDirectionLabels[direction]} <span className="whole-number">{formatAmount(amount)}</span>{' '}
              <span className="text-quiet">{currency}</span>
            </span>
            <Button size="small" aria-label={`Import anyway: row ${row}`} onClick={() => onTake([row])}>
              Import anyway
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
