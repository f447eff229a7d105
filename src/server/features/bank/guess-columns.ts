import { eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { CsvColumnsGuess, CsvTable } from '#contract/schemas/csv-profile.ts'
import type { Ctx } from '#server/core/context.ts'
import { bankAccounts } from '#server/db/tables/bank.ts'
import { notFound } from '#server/lib/errors.ts'
import { guessTable } from './readers/csv-profile.ts'

/** What the columns of a table are, which an operator reads by another layout than the guess of its file. Throws not_found. */
export async function guessColumns(ctx: Ctx, id: string, { headings, rows }: CsvTable): Promise<CsvColumnsGuess> {
  if (!RowId.safeParse(id).success) throw notFound('Bank account')
  const [account] = await ctx.database.db.select().from(bankAccounts).where(eq(bankAccounts.id, id))
  if (!account) throw notFound('Bank account')
  const { columns, unsure, decimalSign, dateOrder } = guessTable(headings, rows, account.account)
  return { columns, unsure, decimalSign: decimalSign ?? null, dateOrder: dateOrder ?? null }
}
