import { bankDirectionLabels, bankLineStateLabels, bankReferenceLabels } from '#contract/bank.ts'
import type { QueryOf } from '#contract/route.ts'
import type { exportRoutes } from '#contract/exports.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { buildLineList } from '#server/features/bank/service.ts'
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

const plainSheet = defineSheet<Query, BankLine>(buildLineList, columns)
const payerSheet = defineSheet<Query, BankLine>(buildLineList, { ...columns, ...payerColumns })

/** Payers may be no members, so that their names, accounts and texts are left out unless they are asked for (product 6.11). */
export const chooseBankSheet = ({ payers }: Query): Sheet<Query> => (payers === 'shown' ? payerSheet : plainSheet)
