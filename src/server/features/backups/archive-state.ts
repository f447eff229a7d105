import { sql } from 'drizzle-orm'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { findOpenEvent } from './open-event.ts'

/** An archive that has not been complete for so long has fallen behind. */
const behindMinutes = 15
const stateName = 'log_archive'
const eventType = 'log_archive_behind'

interface ArchiveState {
  /** When all that the server had archived was in the store. Null before the first time. */
  completeAt: string | null
  isBehind: boolean
  /** From when the newest base is. */
  baseAt: string | null
  isBaseDue: boolean
  /** It has been due for so long that one copy of a base or two have failed. */
  isBaseLate: boolean
}

/** By the database's clock. */
export async function readArchiveState({ pool }: Pick<Database, 'pool'>, everyHours: number): Promise<ArchiveState> {
  const { rows } = await pool.query<ArchiveState>({
    name: stateName,
    text: `
      SELECT value->>'completeAt' AS "completeAt",
        coalesce((value->>'completeAt')::timestamptz, (value->>'failedAt')::timestamptz, now())
          < now() - interval '${behindMinutes} minutes' AS "isBehind",
        value->>'baseAt' AS "baseAt",
        coalesce((value->>'baseAt')::timestamptz < now() - make_interval(hours => $2), true) AS "isBaseDue",
        coalesce((value->>'baseAt')::timestamptz < now() - make_interval(hours => $2, mins => ${behindMinutes}), false)
          AS "isBaseLate"
      FROM (SELECT 1) AS one LEFT JOIN settings ON name = $1`,
    values: [stateName, everyHours],
  })
  return rows[0]!
}

const nowSql = sql`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Notes a new base. */
export const saveBase = ({ database: { db } }: Ctx, baseAt: string) =>
  db.execute(sql`
    INSERT INTO settings AS s (name, value) VALUES (${stateName}, jsonb_build_object('baseAt', ${baseAt}::text))
    ON CONFLICT (name) DO UPDATE SET value = s.value || excluded.value`)

/** Notes that the archive is complete, once a minute. Before the first base nothing can be restored from it. */
export const saveComplete = ({ database: { db } }: Ctx) =>
  db.execute(sql`
    UPDATE settings SET value = value - 'failedAt' || jsonb_build_object('completeAt', ${nowSql}) WHERE name = ${stateName}
    AND value ? 'baseAt' AND coalesce((value->>'completeAt')::timestamptz < now() - interval '1 minute', true)`)

/** A restored database begins another archive, with a base of its own. */
export const forgetArchive = (tx: Tx) => tx.execute(sql`DELETE FROM settings WHERE name = ${stateName}`)

/**
 * Notes the first of failures in a row. An archive that has fallen behind or gets no new base is an event,
 * which counts them.
 */
export async function reportArchiveFailure(ctx: Ctx, problem: string): Promise<void> {
  const { db } = ctx.database
  await db.execute(sql`
    INSERT INTO settings AS s (name, value) VALUES (${stateName}, jsonb_build_object('failedAt', ${nowSql}))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value || s.value`)
  const { everyHours } = ctx.config.backups
  const { isBehind, completeAt, isBaseLate, baseAt } = await readArchiveState(ctx.database, everyHours)
  if (!isBehind && !isBaseLate) return
  await inTransaction(ctx, async (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: eventType,
      // A critical one stands at the bell.
      severity: 'critical',
      by: { state: 'behind' },
      of: await findOpenEvent(tx, eventType, { state: 'behind' }),
      describe(present) {
        const since = completeAt ? `since ${completeAt}` : 'at all yet'
        const what = isBehind
          ? `The log of the database has not been archived ${since}, so nothing later can be restored from it`
          : `The archived log of the database has had no new base since ${baseAt}, so it grows and a restore takes longer`
        return { description: `${what}: ${problem}`, details: { count: (present?.count ?? 0) + 1 } }
      },
    }),
  )
}

export interface ArchiveHealth {
  /** Up to when the database can be restored. Null before the first base. */
  completeAt: string | null
  isBehind: boolean
}

/** The archive of the log. Undefined where there is none. */
export async function readArchiveHealth({
  config,
  database,
}: Pick<Ctx, 'config' | 'database'>): Promise<ArchiveHealth | undefined> {
  const { archive, everyHours } = config.backups
  if (archive === undefined) return undefined
  const { completeAt, isBehind } = await readArchiveState(database, everyHours)
  return { completeAt, isBehind }
}
