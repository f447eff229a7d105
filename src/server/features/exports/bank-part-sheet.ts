import { bankDirectionLabels, bankLineStateLabels } from '#contract/bank.ts'
import type { exportRoutes } from '#contract/exports.ts'
import { ignoreCodeLabels, partPurposeLabels, refundCauseLabels } from '#contract/bank-allocations.ts'
import type { QueryOf } from '#contract/route.ts'
import { buildPartList, type ExportedPart as Part } from '#server/features/bank/service.ts'
import { defineSheet, type Sheet } from './sheet.ts'

type Query = QueryOf<(typeof exportRoutes)['bankParts']>

/** Why money goes back, or is for no order. */
const describeCode = ({ cause, code }: Part) =>
  cause ? refundCauseLabels[cause] : code ? ignoreCodeLabels[code] : null

const columns = {
  Line: (part: Part) => part.lineId,
  Account: (part: Part) => part.accountName,
  Statement: (part: Part) => part.statementNumber,
  Place: (part: Part) => part.place,
  Booked: (part: Part) => part.bookedOn,
  'Value Date': (part: Part) => part.valueOn,
  Direction: (part: Part) => bankDirectionLabels[part.direction],
  Amount: (part: Part) => ({ decimal: part.amount }),
  Currency: (part: Part) => part.currency,
  State: (part: Part) => bankLineStateLabels[part.state],
  'Bank Reference': (part: Part) => part.bankReference,
  Purpose: (part: Part) => part.purpose && partPurposeLabels[part.purpose],
  Code: describeCode,
  Order: (part: Part) => part.orderNumber,
  'Other Line': (part: Part) => part.otherLineId,
  'Part Amount': (part: Part) => (part.partAmount === null ? null : { decimal: part.partAmount }),
  'Applied By': (part: Part) => part.madeBy,
  'Applied At': (part: Part) => part.madeAt,
  Undone: (part: Part) => (part.purpose === null ? null : part.undoneAt === null ? 'No' : 'Yes'),
  'Undone By': (part: Part) => part.undoneBy,
  'Undone At': (part: Part) => part.undoneAt,
}

/** What operators wrote often names who paid. */
const payerColumns = {
  Payer: (part: Part) => part.payerName,
  'Payer Account': (part: Part) => part.payerAccount,
  Text: (part: Part) => part.remittance.join(' '),
  Reason: (part: Part) => part.reason,
  'Undo Reason': (part: Part) => part.undoReason,
}

const plainSheet = defineSheet<Query, Part>(buildPartList, columns)
const payerSheet = defineSheet<Query, Part>(buildPartList, { ...columns, ...payerColumns })

/** Payers are left out unless they are asked for (product 6.11). */
export const choosePartSheet = ({ payers }: Query): Sheet<Query> => (payers === 'shown' ? payerSheet : plainSheet)
