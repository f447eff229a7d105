import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/count-words.ts'
import { sumExact } from './exact-sums.ts'

/** What will be applied in all: of each account, and of each currency that several accounts have. */
export function ExactTotals({ lines }: { lines: readonly BankLine[] }) {
  const { accounts, currencies } = sumExact(lines)
  return (
    <ul aria-label="Totals" className="mb-4 rounded-l border bg-canvas px-4 py-2 text-13">
      {[...accounts, ...currencies].map(({ key, name, currency, count, amount, isOfCurrency }) => (
        <li key={key} className={`flex flex-wrap items-baseline gap-x-4 py-1 ${isOfCurrency ? 'font-semibold' : ''}`}>
          <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
            <bdi>{name}</bdi> <span className="font-regular whitespace-nowrap text-quiet">{countLines(count)}</span>
          </span>
          <span className="whole-number tabular-nums">
            {formatAmount(amount)} <span className="font-regular text-quiet">{currency}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
