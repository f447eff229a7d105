import { bankDirectionLabels, bankLineStateLabels, bankReferenceLabels } from '#contract/bank.ts'
import type { QueryOf } from '#contract/route.ts'
import type { exportRoutes } from '#contract/exports.ts'
import { refundCauseLabels } from '#contract/bank-allocations.ts'
import { buildRefundText } from '#contract/refund-text.ts'
import { describeReturnReason } from '#contract/return-reasons.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { RefundDue } from '#contract/schemas/bank-candidates.ts'
import { buildLineList } from '#server/features/bank/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { defineSheet, type Sheet } from './sheet.ts'

type Query = QueryOf<(typeof exportRoutes)['bankLines']>

const columns = {
  Account: (line: BankLine) => line.accountName,
  Statement: (line: BankLine) => line.statementNumber,
  Booked: (line: BankLine) => line.bookedOn,
  'Value Date': (line: BankLine) => line.valueOn,
  Direction: (line: BankLine) => bankDirectionLabels[line.direction],
  Amount: (line: BankLine) => ({ decimal: line.amount }),
  Currency: (line: BankLine) => line.currency,
  Reversal: (line: BankLine) => (line.isReversal ? 'Yes' : 'No'),
  State: (line: BankLine) => bankLineStateLabels[line.state],
  Allocated: (line: BankLine) => ({ decimal: line.allocated }),
  Place: (line: BankLine) => line.place,
}

const payerColumns = {
  Payer: (line: BankLine) => line.payer.name,
  'Payer Account': (line: BankLine) => line.payer.account,
  References: (line: BankLine) =>
    line.references.map(({ kind, reference }) => `${bankReferenceLabels[kind]}: ${reference}`).join(', '),
  Text: (line: BankLine) => line.remittance.join(' '),
}

const listDue = ({ refundsDue }: BankLine, read: (refund: RefundDue) => string) => refundsDue.map(read).join(', ')

/** The transfer of before that came back. */
const findReturn = ({ refundsDue }: BankLine) => refundsDue.find(({ returned }) => returned !== null)?.returned
const describeReason = (reason: string | null) => reason && describeReturnReason(reason)

/** What a transfer needs besides the payee, and why one of before came back. */
const refundColumns = {
  Due: ({ refundsDue }: BankLine) => ({
    decimal: fromUnits(refundsDue.reduce((sum, { due }) => sum + toUnits(due), 0n)),
  }),
  Cause: (line: BankLine) => listDue(line, ({ cause }) => refundCauseLabels[cause]),
  Orders: (line: BankLine) => listDue(line, ({ order }) => order?.orderNumber ?? 'No order'),
  'Transfer Text': buildRefundText,
  'Came Back': (line: BankLine) => findReturn(line)?.bookedOn ?? null,
  'Return Reason': (line: BankLine) => describeReason(findReturn(line)?.reason ?? null),
}

const plainSheet = defineSheet<Query, BankLine>(buildLineList, columns)
const payerSheet = defineSheet<Query, BankLine>(buildLineList, { ...columns, ...payerColumns })

const refundSheet = defineSheet<Query, BankLine>(buildLineList, { ...columns, ...refundColumns })
const payeeSheet = defineSheet<Query, BankLine>(buildLineList, { ...columns, ...refundColumns, ...payerColumns })

/**
 * Payers may be no members, so that their names, accounts and texts are left out unless they are asked for (product 6.11). The list
 * of refunds that are due also has what their transfers need.
 */
export function chooseBankSheet({ payers, attention }: Query): Sheet<Query> {
  const [plain, withPayers] = attention === 'refund_due' ? [refundSheet, payeeSheet] : [plainSheet, payerSheet]
  return payers === 'shown' ? withPayers : plain
}
