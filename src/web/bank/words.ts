import { describeReturnReason } from '#contract/return-reasons.ts'
import type { TransferReturn } from '#contract/schemas/bank-candidates.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatDay } from '#web/lib/dates.ts'

/** "1 line", "2 lines". */
export const countLines = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`

/** "Came back Nov 22, 2026: the account is closed (AC04)" */
export const describeTransferReturn = ({ bookedOn, reason }: TransferReturn): string =>
  ['Came back', bookedOn && ` ${formatDay(bookedOn)}`, reason && `: ${describeReturnReason(reason)}`]
    .filter(Boolean)
    .join('')
