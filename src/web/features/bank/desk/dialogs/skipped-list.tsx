import type { BankLine } from '#contract/schemas/bank.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { nameParty } from '#web/bank/words.ts'

export interface SkippedLine {
  id: string
  message: string
  line: BankLine | undefined
}

/** Lines that something was not done with, each with payer, amount, order and the reason. */
export const SkippedList = ({ skipped }: { skipped: readonly SkippedLine[] }) => (
  <ul className="space-y-2 text-13">
    {skipped.map(({ id, message, line }) => (
      <li key={id} className="wrap-anywhere">
        {line && (
          <span className="font-medium">
            <bdi>{nameParty(line)}</bdi>, {formatAmount(line.amount)} {line.currency}
            {line.proposedOrders.length > 0 && ` for ${line.proposedOrders.join(', ')}`}:{' '}
          </span>
        )}
        {message}
      </li>
    ))}
  </ul>
)
