import { eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { readStoredFile } from '#server/core/stored-files.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { notFound } from '#server/lib/errors.ts'

/** The bytes of an imported file, as they came. Each view is audited, because they name payers. Throws not_found. */
export async function openImportedFile(ctx: Ctx, id: string): Promise<{ fileName: string; bytes: Buffer }> {
  if (!RowId.safeParse(id).success) throw notFound('Import')
  const [row] = await ctx.database.db.select().from(bankImports).where(eq(bankImports.id, id))
  if (!row) throw notFound('Import')
  const { fileName, sha256 } = row
  const bytes = await readStoredFile(ctx, { kind: 'statement', sha256 }, { importId: id })
  if (!bytes) throw notFound('The file of this import')
  await inTransaction(ctx, (tx) =>
    audit(tx, ctx, {
      action: 'view_statement_file',
      target: { type: 'bank_import', id },
      details: { fileName, sha256 },
    }),
  )
  return { fileName, bytes }
}
