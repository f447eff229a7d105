import * as z from 'zod/mini'
import { lineAges } from '#contract/bank.ts'
import { bankImportList, bankLineList, bankStatementList } from '#contract/lists.ts'
import { suggestions } from '#contract/bank-allocations.ts'
import { Currency } from './bank-changes.ts'
import { DayFilter, filled, filter, listQuery, RowIdFilter } from './common.ts'

/** What is imported: the name of the file, and the account of a CSV file, which does not name it. */
export const BankImportQuery = z.object({
  fileName: filled(200),
  accountId: RowIdFilter,
  /** Says what would be imported, and stores nothing. */
  dryRun: z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })),
  /**
   * As JSON, of a dry run: how a CSV file is read instead of by what the account has. A `CsvLayout` alone answers
   * `csv_profile_needed` with what the file tells by it.
   */
  csvProfile: z.optional(z.string().check(z.maxLength(8000))),
  /** Rows of a CSV file that count as known and are payments of their own: `4,9`. Of a file that was imported before, these alone. */
  takeRows: z.optional(
    z.string().check(z.regex(/^[1-9]\d{0,5}(,[1-9]\d{0,5})*$/, 'must be numbers of rows such as 4,9')),
  ),
})
export type BankImportQuery = z.infer<typeof BankImportQuery>

/** Which lines' allocations an export has. */
export const AllocationsQuery = z.object({ accountId: RowIdFilter, from: DayFilter, to: DayFilter })
export type AllocationsQuery = z.infer<typeof AllocationsQuery>

export const BankStatementsQuery = z.object(listQuery(bankStatementList))
export type BankStatementsQuery = z.infer<typeof BankStatementsQuery>

export const BankImportsQuery = z.object(listQuery(bankImportList))
export type BankImportsQuery = z.infer<typeof BankImportsQuery>

const CurrencyFilter = z.pipe(
  z.transform((value: unknown) => (value === '' || value === 'all' ? undefined : value)),
  z.optional(Currency),
)

export const BankLinesQuery = z.object({
  ...listQuery(bankLineList),
  /** `todo`: open or in part, the oldest first. The others are those of them with this suggestion. */
  work: filter(['todo', ...suggestions]),
  /** Work that was booked so many days ago. */
  age: filter(lineAges),
  /** Of the accounts in this currency. */
  currency: CurrencyFilter,
})
export type BankLinesQuery = z.infer<typeof BankLinesQuery>
