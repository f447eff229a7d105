import * as z from 'zod/mini'
import { importAttentions, statementAttentions } from '#contract/bank.ts'
import { DayFilter, filled, filter, pageQuery, RowIdFilter } from './common.ts'

/** What is imported: the name of the file, and the account of a CSV file, which does not name it. */
export const BankImportQuery = z.object({
  fileName: filled(200),
  accountId: RowIdFilter,
  /** Says what would be imported, and stores nothing. */
  dryRun: z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })),
  /** Rows of a CSV file that count as known and are payments of their own: `4,9`. Of a file that was imported before, these alone. */
  takeRows: z.optional(
    z.string().check(z.regex(/^[1-9]\d{0,5}(,[1-9]\d{0,5})*$/, 'must be numbers of rows such as 4,9')),
  ),
})
export type BankImportQuery = z.infer<typeof BankImportQuery>

/** Which lines' parts an export has. */
export const PartsQuery = z.object({ accountId: RowIdFilter, from: DayFilter, to: DayFilter })
export type PartsQuery = z.infer<typeof PartsQuery>

export const BankStatementsQuery = z.object({
  ...pageQuery,
  accountId: RowIdFilter,
  attention: filter(statementAttentions),
})
export type BankStatementsQuery = z.infer<typeof BankStatementsQuery>

export const BankImportsQuery = z.object({
  ...pageQuery,
  accountId: RowIdFilter,
  attention: filter(importAttentions),
})
export type BankImportsQuery = z.infer<typeof BankImportsQuery>
