import { sql } from 'drizzle-orm'
import { exportLimitHours, exportLimits } from '#contract/data-access.ts'
import { roleLabels } from '#contract/permissions.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { dataAccess } from '#server/db/tables/data-access.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { AppError } from '#server/lib/errors.ts'

/** Rows that the operator has exported in the last 24 hours, on any server. */
async function countExported(db: Db | Tx, adminId: string): Promise<number> {
  const { rows } = await db.execute<{ exported: number }>(sql`
    SELECT coalesce(sum(rows), 0)::float8 AS exported FROM data_access
    WHERE kind = 'export' AND admin_id = ${adminId} AND at > now() - make_interval(hours => ${exportLimitHours})`)
  return rows[0]!.exported
}

/** Throws export_limit if these rows would be more than the operator's role may export in a day (product 6.9). */
export async function requireExportable(db: Db | Tx, ctx: Ctx, rows: number): Promise<void> {
  const { id, role } = adminOf(ctx)
  const limit = exportLimits[role]
  if (limit === null) return
  const exported = await countExported(db, id)
  if (exported + rows > limit) throw limitError(rows, exported, limit, roleLabels[role])
}

const format = (count: number) => count.toLocaleString('en')

const limitError = (rows: number, exported: number, limit: number, role: string) =>
  new AppError(
    'export_limit',
    `This list has ${format(rows)} rows. The role ${role} exports at most ${format(limit)} rows with data of members in ` +
      `${exportLimitHours} hours, and you have exported ${format(exported)}. Narrow the filters.`,
  )

/**
 * Notes an export of data of members in its transaction, before the first byte is sent. Exports of one operator wait
 * here for each other, so that two at once do not pass the limit together. Throws export_limit.
 */
export async function recordExport(tx: Tx, ctx: Ctx, rows: number): Promise<void> {
  const { id: adminId, sessionId } = adminOf(ctx)
  await lockInTransaction(tx, `exports of ${adminId}`)
  await requireExportable(tx, ctx, rows)
  await tx.insert(dataAccess).values({ adminId, sessionId, kind: 'export', rows })
}

/** Reports a refused export, which left nothing behind itself. */
export async function reportRefusedExport(ctx: Ctx, list: string, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.code !== 'export_limit') return
  const { id: adminId, name } = adminOf(ctx)
  await inTransaction(ctx, (tx) =>
    countSecurityEvent<{ list: string; count: number }>(tx, ctx, {
      type: 'export_refused',
      severity: 'medium',
      by: { adminId },
      describe: (present) => ({
        description: `${name} asked for more rows with data of members than the role may export in a day`,
        details: { list, count: (present?.count ?? 0) + 1 },
      }),
    }),
  )
}
