import { sql } from 'drizzle-orm'
import { type ObjectStore, openObjectStore } from '#server/adapters/object-store.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Database } from '#server/db/client.ts'
import { takeLease } from '#server/db/lease.ts'
import { settings } from '#server/db/tables/core.ts'
import { backUpInto, withBackupLock } from './create.ts'
import { findOpenEvent } from './open-event.ts'
import { nameBackup, removeOld, removeUnfinished } from './kept-backups.ts'

/** A backup that failed is tried again after so long. */
const retryMinutes = 30
const eventType = 'backup_failed'
const stateName = 'scheduled_backup'

interface BackupState {
  /** The last one that was finished. */
  finishedAt?: string
  place?: string
  /** Why the last try failed, if it did. */
  failedAt?: string
  problem?: string
}

interface StoredState extends BackupState {
  /** By the database's clock. */
  isDue: boolean
  isOverdue: boolean
}

/** The state, and whether a backup is due: by its age, and not right after a failure. */
async function readState({ pool }: Pick<Database, 'pool'>, everyHours: number): Promise<StoredState> {
  const { rows } = await pool.query<StoredState & { value: BackupState | null }>({
    name: 'scheduled_backup',
    text: `
      WITH state AS (SELECT value, (value->>'finishedAt')::timestamptz AS finished, (value->>'failedAt')::timestamptz AS failed,
        make_interval(hours => $2) AS every FROM (SELECT 1) AS one LEFT JOIN settings ON name = $1)
      SELECT value, coalesce(finished < now() - every, true)
        AND coalesce(failed < now() - interval '${retryMinutes} minutes', true) AS "isDue",
        coalesce(finished < now() - 2 * every, failed IS NOT NULL) AS "isOverdue" FROM state`,
    values: [stateName, everyHours],
  })
  const { value, isDue, isOverdue } = rows[0]!
  return { ...value, isDue, isOverdue }
}

const saveState = (ctx: Ctx, value: BackupState) =>
  ctx.database.db
    .insert(settings)
    .values({ name: stateName, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } })

/** Makes a backup where BACKUP_TO is set and the last one is older than BACKUP_EVERY. One server at a time does. */
export async function backUpWhenDue(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { place, everyHours } = ctx.config.backups
  if (place === undefined || !(await readState(ctx.database, everyHours)).isDue) return
  const lease = await takeLease(ctx.database, 'scheduled backup', ctx.config.leaseSeconds)
  if (!lease) return
  try {
    // Another server may have made one meanwhile.
    const state = await readState(ctx.database, everyHours)
    if (state.isDue) await backUp(ctx, openObjectStore(place), state, AbortSignal.any([stop, lease.signal]))
  } finally {
    await lease.release()
  }
}

async function backUp(ctx: Ctx, store: ObjectStore, before: BackupState, stop: AbortSignal): Promise<void> {
  const { recipients, keep } = ctx.config.backups
  try {
    await withBackupLock(ctx, async (client) => {
      await removeUnfinished(store)
      const target = store.within(nameBackup(new Date()))
      const { manifest } = await backUpInto(ctx, client, { store: target, recipients, stop })
      await saveState(ctx, { finishedAt: manifest.takenAt, place: target.place })
      await removeOld(store, keep)
    })
  } catch (error) {
    if (stop.aborted) return
    await reportFailure(ctx, before, error instanceof Error ? error.message : String(error))
    throw error
  }
}

async function reportFailure(ctx: Ctx, { finishedAt, place }: BackupState, problem: string): Promise<void> {
  const failure = { failedAt: await readClock(ctx), problem }
  await saveState(ctx, { ...(finishedAt && { finishedAt }), ...(place && { place }), ...failure })
  const { isOverdue } = await readState(ctx.database, ctx.config.backups.everyHours)
  const by = { state: isOverdue ? 'overdue' : 'late' }
  await inTransaction(ctx, async (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: eventType,
      // A critical one stands at the bell.
      severity: isOverdue ? 'critical' : 'medium',
      by,
      of: await findOpenEvent(tx, eventType, by),
      describe(present) {
        const count = (present?.count ?? 0) + 1
        const last = finishedAt ? `the last one is of ${finishedAt}` : 'there is none yet'
        return { description: `A back-up by the clock failed, and ${last}: ${problem}`, details: { count } }
      },
    }),
  )
}

const readClock = async ({ database: { db } }: Ctx): Promise<string> => {
  const { rows } = await db.execute<{ now: string }>(
    sql`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  )
  return rows[0]!.now
}

export interface BackupHealth {
  /** The moment of the last one. Null before the first. */
  lastAt: string | null
  /** Whether the last try failed. */
  isFailing: boolean
  /** Whether the last one is older than twice the time between two. */
  isOverdue: boolean
}

/** The backups by the clock. Undefined where there are none. */
export async function readBackupHealth({
  config,
  database,
}: Pick<Ctx, 'config' | 'database'>): Promise<BackupHealth | undefined> {
  const { place, everyHours } = config.backups
  if (place === undefined) return undefined
  const { finishedAt, failedAt, isOverdue } = await readState(database, everyHours)
  return { lastAt: finishedAt ?? null, isFailing: failedAt !== undefined, isOverdue }
}
