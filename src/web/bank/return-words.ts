import { describeReturnReason } from '#contract/return-reasons.ts'
import type { TransferReturn } from '#contract/schemas/bank-returns.ts'
import { formatDay } from '#web/lib/dates.ts'

/** "Came back Nov 22, 2026: the account is closed (AC04)" */
export const describeTransferReturn = ({ bookedOn, reason }: TransferReturn): string =>
  ['Came back', bookedOn && ` ${formatDay(bookedOn)}`, reason && `: ${describeReturnReason(reason)}`]
    .filter(Boolean)
    .join('')
