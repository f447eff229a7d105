import type { exportRoutes } from '#contract/exports.ts'
import { allocationPurposeLabels, writeOffCodeLabels, refundCauseLabels } from '#contract/bank-allocations.ts'
import { bankDirectionLabels, bankLineStateLabels, bankReferenceLabels } from '#contract/bank.ts'
import { buildRefundText } from '#contract/refund-text.ts'
import { describeReturnReason } from '#contract/return-reasons.ts'
import type { QueryOf } from '#contract/route.ts'
import type { RefundDue } from '#contract/schemas/bank-candidates.ts'
import type { BankImport, BankLine, BankStatement } from '#contract/schemas/bank.ts'
import {
  buildAllocationList,
  buildImportList,
  buildLineList,
  buildStatementList,
  type ExportedAllocation as Allocation,
} from '#server/features/bank/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { defineSheet, type Sheet } from './sheet.ts'

const decimalOrNone = (amount: string | null) => (amount === null ? null : { decimal: amount })

type LineQuery = QueryOf<(typeof exportRoutes)['bankLines']>

const lineColumns = {
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

const linePayerColumns = {
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

const lineSheet = defineSheet<LineQuery, BankLine>(buildLineList, lineColumns)
const linePayerSheet = defineSheet<LineQuery, BankLine>(buildLineList, { ...lineColumns, ...linePayerColumns })

const refundSheet = defineSheet<LineQuery, BankLine>(buildLineList, { ...lineColumns, ...refundColumns })
const payeeSheet = defineSheet<LineQuery, BankLine>(buildLineList, {
  ...lineColumns,
  ...refundColumns,
  ...linePayerColumns,
})

/**
 * Payers may be no members, so that their names, accounts and texts are left out unless they are asked for (product 6.11). The list
 * of refunds that are due also has what their transfers need.
 */
export function chooseLineSheet({ payers, attention }: LineQuery): Sheet<LineQuery> {
  const [plain, withPayers] = attention === 'refund_due' ? [refundSheet, payeeSheet] : [lineSheet, linePayerSheet]
  return payers === 'shown' ? withPayers : plain
}

type AllocationQuery = QueryOf<(typeof exportRoutes)['bankAllocations']>

/** Why money goes back, or is for no order. */
const describeCode = ({ cause, code }: Allocation) =>
  cause ? refundCauseLabels[cause] : code ? writeOffCodeLabels[code] : null

const allocationColumns = {
  Line: (allocation: Allocation) => allocation.lineId,
  Account: (allocation: Allocation) => allocation.accountName,
  Statement: (allocation: Allocation) => allocation.statementNumber,
  Place: (allocation: Allocation) => allocation.place,
  Booked: (allocation: Allocation) => allocation.bookedOn,
  'Value Date': (allocation: Allocation) => allocation.valueOn,
  Direction: (allocation: Allocation) => bankDirectionLabels[allocation.direction],
  Amount: (allocation: Allocation) => ({ decimal: allocation.amount }),
  Currency: (allocation: Allocation) => allocation.currency,
  State: (allocation: Allocation) => bankLineStateLabels[allocation.state],
  'Bank Reference': (allocation: Allocation) => allocation.bankReference,
  Purpose: (allocation: Allocation) => allocation.purpose && allocationPurposeLabels[allocation.purpose],
  Code: describeCode,
  Order: (allocation: Allocation) => allocation.orderNumber,
  'Other Line': (allocation: Allocation) => allocation.otherLineId,
  'Part Amount': (allocation: Allocation) => decimalOrNone(allocation.allocationAmount),
  'Applied By': (allocation: Allocation) => allocation.madeBy,
  'Applied At': (allocation: Allocation) => allocation.madeAt,
  Undone: (allocation: Allocation) =>
    allocation.purpose === null ? null : allocation.undoneAt === null ? 'No' : 'Yes',
  'Undone By': (allocation: Allocation) => allocation.undoneBy,
  'Undone At': (allocation: Allocation) => allocation.undoneAt,
}

/** What operators wrote often names who paid. */
const decisionColumns = {
  Payer: (allocation: Allocation) => allocation.payerName,
  'Payer Account': (allocation: Allocation) => allocation.payerAccount,
  Text: (allocation: Allocation) => allocation.remittance.join(' '),
  Reason: (allocation: Allocation) => allocation.reason,
  'Undo Reason': (allocation: Allocation) => allocation.undoReason,
}

const allocationSheet = defineSheet<AllocationQuery, Allocation>(buildAllocationList, allocationColumns)
const decisionSheet = defineSheet<AllocationQuery, Allocation>(buildAllocationList, {
  ...allocationColumns,
  ...decisionColumns,
})

/** Payers are left out unless they are asked for (product 6.11). */
export const chooseAllocationSheet = ({ payers }: AllocationQuery): Sheet<AllocationQuery> =>
  payers === 'shown' ? decisionSheet : allocationSheet

export const statementSheet = defineSheet<QueryOf<(typeof exportRoutes)['bankStatements']>, BankStatement>(
  buildStatementList,
  {
    Account: ({ accountName }) => accountName,
    'Account Number': ({ account }) => account,
    Currency: ({ currency }) => currency,
    Statement: ({ number }) => number,
    Kind: ({ kind }) => kind,
    Opening: ({ opening }) => decimalOrNone(opening),
    'Opening Day': ({ openingOn }) => openingOn,
    'Money In': ({ credits }) => ({ decimal: credits }),
    'Money Out': ({ debits }) => ({ decimal: debits }),
    Closing: ({ closing }) => decimalOrNone(closing),
    'Closing Day': ({ closingOn }) => closingOn,
    Difference: ({ difference, contradiction }) => decimalOrNone(contradiction?.difference ?? difference),
    'One Before Missing': ({ isGap }) => (isGap ? 'Yes' : 'No'),
    'Gap Accepted By': ({ acceptedGap }) => acceptedGap?.by ?? null,
    'Gap Accepted At': ({ acceptedGap }) => acceptedGap?.at ?? null,
    'Gap Reason': ({ acceptedGap }) => acceptedGap?.reason ?? null,
    'New Lines': ({ linesNew }) => linesNew,
    'Known Lines': ({ linesKnown }) => linesKnown,
    File: ({ fileName }) => fileName,
    'Imported By': ({ importedBy }) => importedBy,
    'Imported At': ({ importedAt }) => importedAt,
  },
)

export const importSheet = defineSheet<QueryOf<(typeof exportRoutes)['bankImports']>, BankImport>(buildImportList, {
  File: ({ fileName }) => fileName,
  Format: ({ format }) => format,
  Size: ({ size }) => size,
  'Imported By': ({ importedBy }) => importedBy,
  'Imported At': ({ importedAt }) => importedAt,
  'New Lines': ({ linesNew }) => linesNew,
  'Known Lines': ({ linesKnown }) => linesKnown,
  'Not Read': ({ unreadableCount }) => unreadableCount,
  'Not Read Accepted By': ({ acceptedUnreadable }) => acceptedUnreadable?.by ?? null,
  'Not Read Accepted At': ({ acceptedUnreadable }) => acceptedUnreadable?.at ?? null,
  'Not Read Reason': ({ acceptedUnreadable }) => acceptedUnreadable?.reason ?? null,
  'Undone By': ({ undone }) => undone?.by ?? null,
  'Undone At': ({ undone }) => undone?.at ?? null,
  'Undo Reason': ({ undone }) => undone?.reason ?? null,
})
