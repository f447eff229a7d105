import { describeReturnReason } from '#contract/return-reasons.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { TransferReturn } from '#contract/schemas/bank-candidates.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatDay } from '#web/lib/dates.ts'

/** "1 line", "2 lines". */
export const countLines = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`

type LineParty = Pick<BankLine, 'payer' | 'direction'>

/** What stands for a payer, or of money out a payee, that the bank does not name. */
export const nameUnknown = ({ direction }: Pick<LineParty, 'direction'>): string =>
  direction === 'debit' ? 'Unknown payee' : 'Unknown payer'

export const nameParty = (line: LineParty): string => line.payer.name ?? line.payer.account ?? nameUnknown(line)

/** "Came back Nov 22, 2026: the account is closed (AC04)" */
export const describeTransferReturn = ({ bookedOn, reason }: TransferReturn): string =>
  ['Came back', bookedOn && ` ${formatDay(bookedOn)}`, reason && `: ${describeReturnReason(reason)}`]
    .filter(Boolean)
    .join('')
