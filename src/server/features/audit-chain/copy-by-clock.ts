import { openObjectStore } from '#server/adapters/object-store.ts'
import type { Ctx, Services } from '#server/core/context.ts'
import type { Database } from '#server/db/client.ts'
import { takeLease } from '#server/db/lease.ts'
import { settings } from '#server/db/tables/core.ts'
import { copyAudit } from './copy.ts'

const stateName = 'audit_copy'
/** Below the place of the back-ups, whose names are others. */
const copyFolder = 'audit-log'

/** When the last copy by the clock ended. Undefined where there are none. */
export async function readCopiedAt({
  config,
  database,
}: Pick<Services, 'config' | 'database'>): Promise<string | null | undefined> {
  return config.backups.place && ((await readState(database, config.backups.everyHours)).copiedAt ?? null)
}

async function readState({ pool }: Pick<Database, 'pool'>, everyHours: number) {
  const { rows } = await pool.query<{ copiedAt: string | null; isDue: boolean }>({
    name: 'audit_copy_state',
    text: `SELECT value->>'copiedAt' AS "copiedAt",
      coalesce((value->>'copiedAt')::timestamptz < now() - make_interval(hours => $2), true) AS "isDue"
      FROM (SELECT 1) AS one LEFT JOIN settings ON name = $1`,
    values: [stateName, everyHours],
  })
  return rows[0]!
}

/** Copies the log beside the back-ups where that is due. One server at a time does. */
export async function copyWhenDue(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { place, everyHours, recipients } = ctx.config.backups
  if (place === undefined || !(await readState(ctx.database, everyHours)).isDue) return
  const lease = await takeLease(ctx.database, 'audit copy', ctx.config.leaseSeconds)
  if (!lease) return
  try {
    const copiedAt = new Date().toISOString()
    const signal = AbortSignal.any([stop, lease.signal])
    const store = openObjectStore(place).within(copyFolder)
    const copy = await copyAudit(ctx, { store, recipients, stop: signal, isUnattended: true })
    if (!copy || signal.aborted) return
    const value = { copiedAt, entries: String(copy.entries) }
    await ctx.database.db
      .insert(settings)
      .values({ name: stateName, value })
      .onConflictDoUpdate({ target: settings.name, set: { value } })
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    await lease.release()
  }
}
