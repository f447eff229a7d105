import type { Routes } from './route.ts'
import type { bankSchemas } from './schemas/bank.ts'

/** What a statement file has at most. */
export const statementFileLimits = { bytes: 50 * 1024 * 1024, lines: 100_000 }

/** The formats of the files that banks write. A zip holds files of the others. */
export const bankFileFormats = ['camt', 'MT940', 'CSV', 'zip'] as const

export const statementKinds = ['camt.052', 'camt.053', 'camt.054', 'MT940', 'MT942', 'CSV'] as const

/** `credit`: money came in. `debit`: money went out. */
export const bankDirections = ['credit', 'debit'] as const
export type BankDirection = (typeof bankDirections)[number]
export const bankDirectionLabels: Record<BankDirection, string> = { credit: 'Money in', debit: 'Money out' }

/** Whether the bank has booked a line. `info` is one that the bank only mentions. */
export const bookingStates = ['booked', 'pending', 'info'] as const

/**
 * The state of a line (product 7.9). A line that is not booked has the state of its booking and is not work. A booked
 * one is `open` while nothing of it has a purpose, `part` while some has, and `settled` when all has.
 */
export const bankLineStates = ['open', 'part', 'settled', 'pending', 'info'] as const
export type BankLineState = (typeof bankLineStates)[number]
export const bankLineStateLabels: Record<BankLineState, string> = {
  open: 'Open',
  part: 'In part',
  settled: 'Settled',
  pending: 'Pending',
  info: 'For information',
}

/**
 * Lines that a notice is about. `overdue`: work for more than two days. `ended_order`: money on an order that has
 * expired or was cancelled. `taken_back`: payments that the bank took back after their order was completed, which is
 * owed the money. `refund_due`: money that waits to be paid back.
 */
export const lineAttentions = ['overdue', 'ended_order', 'taken_back', 'refund_due'] as const
export type LineAttention = (typeof lineAttentions)[number]

/** How many days a line may be work before it is noticed. */
export const overdueDays = 2

/**
 * How many days ago a line that is work was booked, by the calendar of UTC. A line without a day of booking counts from
 * its day of value, else from its import.
 */
export const lineAges = ['0-2', '3-7', '8-30', 'older'] as const
export type LineAge = (typeof lineAges)[number]
/** How many days ago the oldest day of each was; `older` has none. */
export const lineAgeDays: Record<Exclude<LineAge, 'older'>, number> = { '0-2': overdueDays, '3-7': 7, '8-30': 30 }
export const lineAgeLabels: Record<LineAge, string> = {
  '0-2': '0–2 days',
  '3-7': '3–7 days',
  '8-30': '8–30 days',
  older: 'Over 30 days',
}

/** Statements that a notice is about. `difference`: it does not add up, alone or with the next. `gap`: the one before it is missing. */
export const statementAttentions = ['difference', 'gap'] as const
export type StatementAttention = (typeof statementAttentions)[number]

/** Imports that a notice is about. `unreadable`: rows or entries could not be read, and nobody has accepted that. */
export const importAttentions = ['unreadable'] as const
export type ImportAttention = (typeof importAttentions)[number]

/** The most unreadable parts that the list of imports names. */
export const mostListedUnreadable = 5

/** What a reference of a line is. `structured`: given by the payer as such, such as an RF reference. */
export const bankReferenceKinds = ['bank', 'endToEnd', 'structured', 'mandate', 'uetr'] as const
export type BankReferenceKind = (typeof bankReferenceKinds)[number]
export const bankReferenceLabels: Record<BankReferenceKind, string> = {
  bank: "Bank's reference",
  endToEnd: 'End-to-end id',
  structured: "Payer's reference",
  mandate: 'Mandate',
  uetr: 'UETR',
}

/** The most unreadable parts and warnings of a file that are named; `unreadableCount` counts them all. */
export const mostNamedProblems = 1000

/** The most lines that are named where they keep an import from being undone. */
export const mostNamedLines = 20

/** Of a reason to undo an import, or to accept a gap or what could not be read. */
export const maxBankReason = 500

/** The most rows of a CSV file that are taken although equal lines are known. */
export const maxTakenRows = 100

export const bankTexts = {
  accountAdded: 'Bank account added',
  accountSaved: 'Bank account saved',
  importUndone: 'Import undone',
  gapAccepted: 'Gap accepted',
  differenceAccepted: 'Difference accepted',
  unreadableAccepted: 'Unread rows accepted',
  fileTooLarge: 'A statement file has at most 50 MB and 100,000 lines',
  columnsUnknown: 'How this bank writes CSV is not known yet: confirm the columns first',
}

export const bankRoutes: Routes<typeof bankSchemas> = {
  accounts: { method: 'GET', path: '/api/bank/accounts', access: 'bank.view' },
  createAccount: { method: 'POST', path: '/api/bank/accounts', access: 'bank.manage', stepUpKind: 'bank_accounts' },
  updateAccount: {
    method: 'PATCH',
    path: '/api/bank/accounts/:id',
    access: 'bank.manage',
    versioned: true,
    stepUpKind: 'bank_accounts',
  },
  import: {
    method: 'POST',
    path: '/api/bank/imports',
    consumes: ['application/octet-stream', 'text/plain', 'text/csv', 'application/xml', 'text/xml', 'application/zip'],
    access: 'bank.import',
    timeoutSeconds: 300,
  },
  imports: { method: 'GET', path: '/api/bank/imports', access: 'bank.view' },
  checkUndoImport: {
    method: 'GET',
    path: '/api/bank/imports/:id/undo',
    access: 'bank.import',
    readsMembers: true,
    timeoutSeconds: 120,
  },
  undoImport: { method: 'POST', path: '/api/bank/imports/:id/undo', access: 'bank.import', timeoutSeconds: 120 },
  acceptUnreadable: { method: 'POST', path: '/api/bank/imports/:id/accept-unreadable', access: 'bank.import' },
  file: { method: 'GET', path: '/api/bank/imports/:id/file', access: 'bank.view', timeoutSeconds: 120, raw: true },
  statements: { method: 'GET', path: '/api/bank/statements', access: 'bank.view' },
  acceptGap: { method: 'POST', path: '/api/bank/statements/:id/accept-gap', access: 'bank.import' },
  acceptDifference: { method: 'POST', path: '/api/bank/statements/:id/accept-difference', access: 'bank.import' },
  lines: { method: 'GET', path: '/api/bank/lines', access: 'bank.view', readsMembers: true },
}
