import type { exportRoutes } from '#contract/exports.ts'
import type { QueryOf } from '#contract/route.ts'
import type { BankImport, BankStatement } from '#contract/schemas/bank.ts'
import { buildImportList, buildStatementList } from '#server/features/bank/service.ts'
import { defineSheet } from './sheet.ts'

const decimalOrNone = (amount: string | null) => (amount === null ? null : { decimal: amount })

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
