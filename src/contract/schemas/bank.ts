import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import {
  bankDirections,
  bankFileFormats,
  bankLineStates,
  bankReferenceKinds,
  bookingStates,
  statementKinds,
} from '#contract/bank.ts'
import { matchFlags, matchOutcomes, suggestions } from '#contract/bank-allocations.ts'
import { AcceptProblem, BankAccountChange, NewBankAccount, UndoImport } from './bank-changes.ts'
import {
  AccountProof,
  AgeGroup,
  CreditSums,
  LatestStatement,
  LineSums,
  NullableDay,
  PurposeSum,
  SignedAmount,
  StatementContradiction,
  StatementProblems,
  UnreadableParts,
} from './bank-figures.ts'
import { BankImportQuery, BankImportsQuery, BankLinesQuery, BankStatementsQuery } from './bank-queries.ts'
import { PayerClaims, RefundDue } from './bank-candidates.ts'
import { pageOf, Timestamp } from './common.ts'
import { csvProfileSchema } from './csv-profile.ts'

export const BankAccount = z.object({
  id: z.string(),
  name: z.string(),
  /** An IBAN without blanks, or the bank's own number. */
  account: z.string(),
  currency: z.string(),
  /** How this bank writes CSV files; null until it was confirmed. */
  csvProfile: z.nullable(csvProfileSchema),
  isActive: z.boolean(),
  version: z.int(),
  /** All lines of the account. */
  lines: z.int(),
  /** Its booked lines, and those of them in the state `open`, with their sums. */
  booked: LineSums,
  open: LineSums,
  /** How many of its lines are work: open or in part. Those that have just come have no suggestion yet. */
  work: z.object({ total: z.int(), exact: z.int(), check: z.int(), unmatched: z.int() }),
  credits: CreditSums,
  /** The lines that are work by age, each age once. Their credits add up to `credits.open`. */
  ageing: z.array(AgeGroup),
  /** The outcome of all its money, in and out, by purpose and code. */
  purposes: z.array(PurposeSum),
  problems: StatementProblems,
  /** Null while no statement has balances. */
  proof: z.nullable(AccountProof),
  /** What of its files could not be read and nobody has accepted. Null where there is nothing. */
  unreadable: z.nullable(UnreadableParts),
  /** The statement that ends last; a notification (camt.054) only where there is no other. */
  latest: z.nullable(LatestStatement),
})
export type BankAccount = z.infer<typeof BankAccount>

export const BankImport = z.object({
  /** Null in a dry run, which stores nothing. */
  id: z.nullable(z.string()),
  fileName: z.string(),
  format: z.enum(bankFileFormats),
  /** In bytes. */
  size: z.int(),
  importedBy: z.string(),
  importedAt: Timestamp,
  linesNew: z.int(),
  linesKnown: z.int(),
  /** Rows and entries that could not be read. */
  unreadableCount: z.int(),
  /** The first 5 of them, with their places. */
  unreadable: z.array(z.string()),
  /** Who accepted that they could not be read, when, and why. Until then money may be missing. */
  acceptedUnreadable: z.nullable(z.object({ by: z.string(), at: Timestamp, reason: z.string() })),
  /** Who undid it, when, and why: its statements and lines are gone. Null while it stands. */
  undone: z.nullable(z.object({ by: z.string(), at: Timestamp, reason: z.string() })),
})
export type BankImport = z.infer<typeof BankImport>

const statementFields = {
  /** Null in a dry run. */
  id: z.nullable(z.string()),
  accountId: z.string(),
  accountName: z.string(),
  account: z.string(),
  currency: z.string(),
  kind: z.enum(statementKinds),
  number: z.nullable(z.string()),
  opening: z.nullable(SignedAmount),
  openingOn: NullableDay,
  /** The sums of its booked lines, both 0 or more. */
  credits: z.string(),
  debits: z.string(),
  closing: z.nullable(SignedAmount),
  closingOn: NullableDay,
  /** Opening + credits - debits - closing; null where the file has no such balances. */
  difference: z.nullable(SignedAmount),
  linesNew: z.int(),
  linesKnown: z.int(),
}
export const ImportedStatement = z.object(statementFields)
export type ImportedStatement = z.infer<typeof ImportedStatement>

const AcceptedProblem = z.object({ by: z.string(), at: Timestamp, reason: z.string() })

export const BankStatement = z.object({
  ...statementFields,
  /** Whether the statement before it is missing, and nobody has accepted that. */
  isGap: z.boolean(),
  /** Of a gap, accepted or not: how much more this one begins with than the one before it ended with. Else null, and where there are no balances. */
  jump: z.nullable(SignedAmount),
  /** The statement that begins with another balance than this one ended with, though none is missing between them. */
  contradiction: z.nullable(StatementContradiction),
  /** Who accepted that the one before it never comes, when, and why. */
  acceptedGap: z.nullable(AcceptedProblem),
  /** Who accepted that its lines and balances differ, when, and why. */
  acceptedDifference: z.nullable(AcceptedProblem),
  importId: z.string(),
  fileName: z.string(),
  importedBy: z.string(),
  importedAt: Timestamp,
})
export type BankStatement = z.infer<typeof BankStatement>

const BankReference = z.object({ kind: z.enum(bankReferenceKinds), reference: z.string() })

const Money = z.object({ amount: z.string(), currency: z.string() })

export const BankLine = z.object({
  id: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  statementId: z.string(),
  statementNumber: z.nullable(z.string()),
  /** "line 812", "row 4": where it stands in the file. */
  place: z.string(),
  bookedOn: NullableDay,
  valueOn: NullableDay,
  direction: z.enum(bankDirections),
  /** 0 or more, 2 to 5 places. */
  amount: z.string(),
  currency: z.string(),
  /** It takes back an earlier line. */
  isReversal: z.boolean(),
  booking: z.enum(bookingStates),
  state: z.enum(bankLineStates),
  /** How much of the amount has a purpose. */
  allocated: z.string(),
  /** Who paid; of a debit, who was paid. */
  payer: z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) }),
  claims: PayerClaims,
  references: z.array(BankReference),
  /** What the payer wrote. */
  remittance: z.array(z.string()),
  /** What the bank wrote. */
  info: z.array(z.string()),
  /** Why it came back or was taken back, as the bank wrote it. Null where it gave no reason. */
  returnReason: z.nullable(z.string()),
  /** What was sent, where the bank says that it is not what it booked. */
  instructed: z.nullable(Money),
  /** What banks kept of it, as the file says. */
  charges: z.array(Money),
  importedAt: Timestamp,
  /** What is proposed for it. Null while nothing is: it is not work, or has just come. */
  suggestion: z.nullable(z.enum(suggestions)),
  outcome: z.nullable(z.enum(matchOutcomes)),
  flags: z.array(z.enum(matchFlags)),
  /** The numbers of the first candidate's orders. */
  proposedOrders: z.array(z.string()),
  /** What of it is to be paid back and has not gone out, the earliest first. */
  refundsDue: z.array(RefundDue),
  version: z.int(),
})
export type BankLine = z.infer<typeof BankLine>

/** A line of a CSV file that equals one of another file, and so counts as known. */
export const KnownLine = z.object({
  /** From 1. */
  row: z.int(),
  bookedOn: NullableDay,
  direction: z.enum(bankDirections),
  amount: z.string(),
  payer: z.nullable(z.string()),
  text: z.string(),
})
export type KnownLine = z.infer<typeof KnownLine>

/** What an import tells of its file. */
export const ImportedFile = z.object({
  import: BankImport,
  statements: z.array(ImportedStatement),
  /** What was odd, with its place; the first 1,000. */
  warnings: z.array(z.string()),
  /** What could not be read, with its place; the first 1,000. The rest was imported. */
  unreadable: z.array(z.string()),
  /** Of a CSV file: the lines that count as known; the first 1,000. `takeRows` takes them all the same. */
  knownLines: z.array(KnownLine),
})
export type ImportedFile = z.infer<typeof ImportedFile>

/** Whether undoing an import would be refused now, by the rule of the undoing itself. */
export const UndoImportCheck = z.object({
  /** Why, as the call would say; null where it would not be refused. */
  refusal: z.nullable(z.string()),
  /** The lines that keep it; the first 20. */
  lines: z.array(BankLine),
  lineCount: z.int(),
})
export type UndoImportCheck = z.infer<typeof UndoImportCheck>

const params = z.object({ id: z.string() })
const savedAccount = z.object({ message: z.string(), account: BankAccount })

export const bankSchemas = {
  accounts: {
    summary: 'The bank accounts, with the work that waits and the last statement of each',
    reply: z.object({ accounts: z.array(BankAccount) }),
  },
  createAccount: {
    summary: 'Add a bank account',
    body: NewBankAccount,
    reply: savedAccount,
    refuses: ['bank_account_taken'],
  },
  updateAccount: {
    summary: 'Change a bank account, and confirm how its bank writes CSV',
    params,
    body: BankAccountChange,
    reply: savedAccount,
    refuses: ['bank_account_taken', 'bank_account_used'],
  },
  import: {
    summary: 'Import a statement file of a bank, raw: camt.052, camt.053, camt.054, MT940, CSV, or a zip of them',
    query: BankImportQuery,
    reply: ImportedFile,
    refuses: ['csv_profile_needed', 'file_imported'],
  },
  imports: {
    summary: 'The imported files, newest first',
    query: BankImportsQuery,
    reply: pageOf('imports', BankImport),
  },
  checkUndoImport: {
    summary: 'Whether undoing an import would be refused now, why, and for which lines; changes nothing',
    params,
    reply: UndoImportCheck,
  },
  undoImport: {
    summary: 'Undo an import whose lines nobody has worked: its statements and lines go',
    params,
    body: UndoImport,
    reply: z.object({ message: z.string(), import: BankImport }),
    refuses: ['import_undone', 'import_used'],
  },
  acceptUnreadable: {
    summary: 'Accept that parts of a file could not be read',
    params,
    body: AcceptProblem,
    reply: z.object({ message: z.string(), import: BankImport }),
    refuses: ['import_undone', 'no_unreadable'],
  },
  file: { summary: 'The bytes of an imported file, as they came', params },
  statements: {
    summary: 'The imported statements with their balances, newest first',
    query: BankStatementsQuery,
    reply: pageOf('statements', BankStatement),
  },
  acceptGap: {
    summary: 'Accept that the statement before this one never comes',
    params,
    body: AcceptProblem,
    reply: z.object({ message: z.string(), statement: BankStatement }),
    refuses: ['no_gap'],
  },
  acceptDifference: {
    summary: 'Accept that the lines of a statement and its balances differ',
    params,
    body: AcceptProblem,
    reply: z.object({ message: z.string(), statement: BankStatement }),
    refuses: ['no_difference'],
  },
  lines: {
    summary: 'The lines of the statements, newest first',
    query: BankLinesQuery,
    reply: pageOf('lines', BankLine),
  },
} satisfies Record<string, RouteSchemas>
