import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { takeLease } from '#server/db/lease.ts'
import { settings } from '#server/db/tables/core.ts'
import { syncFolder } from '#server/lib/sync-folder.ts'
import { createBackup } from './create.ts'
import { sumsFile } from './manifest.ts'

/** A backup that failed is tried again after so long. */
const retryMinutes = 30
const eventType = 'backup_failed'
const stateName = 'scheduled_backup'
const folderForm = /^back-office-\d{8}T\d{9}Z(\.partial)?$/
const partial = '.partial'

interface BackupState {
  /** The last one that was finished. */
  finishedAt?: string
  folder?: string
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
  const { folder, everyHours } = ctx.config.backups
  if (folder === undefined || !(await readState(ctx.database, everyHours)).isDue) return
  const lease = await takeLease(ctx.database, 'scheduled backup', ctx.config.leaseSeconds)
  if (!lease) return
  try {
    // Another server may have made one meanwhile.
    const state = await readState(ctx.database, everyHours)
    if (state.isDue) await backUp(ctx, folder, state, AbortSignal.any([stop, lease.signal]))
  } finally {
    await lease.release()
  }
}

async function backUp(ctx: Ctx, folder: string, before: BackupState, stop: AbortSignal): Promise<void> {
  const { recipients, keep } = ctx.config.backups
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeUnfinished(folder)
    const name = `back-office-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
    const draft = join(folder, `${name}${partial}`)
    const { manifest } = await createBackup(ctx, { folder: draft, recipients, stop })
    await rename(draft, join(folder, name))
    await syncFolder(folder)
    await saveState(ctx, { finishedAt: manifest.takenAt, folder: join(folder, name) })
    await removeOld(folder, keep)
  } catch (error) {
    if (stop.aborted) return
    await reportFailure(ctx, before, error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** What servers that were killed have left. Whoever holds the lease is the only one that writes here. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (folderForm.test(name) && name.endsWith(partial)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Names are in the order of time. Only finished backups count, and nothing else is touched. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const finished = (await readdir(folder))
    .filter((name) => folderForm.test(name) && !name.endsWith(partial) && existsSync(join(folder, name, sumsFile)))
    .toSorted()
  for (const name of finished.slice(0, -keep)) await rm(join(folder, name), { recursive: true, force: true })
}

async function reportFailure(ctx: Ctx, { finishedAt, folder }: BackupState, problem: string): Promise<void> {
  const failure = { failedAt: await readClock(ctx), problem }
  await saveState(ctx, { ...(finishedAt && { finishedAt }), ...(folder && { folder }), ...failure })
  const { isOverdue } = await readState(ctx.database, ctx.config.backups.everyHours)
  const by = { state: isOverdue ? 'overdue' : 'late' }
  await inTransaction(ctx, async (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: eventType,
      // A critical one stands at the bell.
      severity: isOverdue ? 'critical' : 'medium',
      by,
      of: await findOpenEvent(tx, by),
      describe(present) {
        const count = (present?.count ?? 0) + 1
        const last = finishedAt ? `the last one is of ${finishedAt}` : 'there is none yet'
        return { description: `A back-up by the clock failed, and ${last}: ${problem}`, details: { count } }
      },
    }),
  )
}

/** A failure goes on for hours, and is one event until somebody has resolved it. */
async function findOpenEvent(tx: Tx, by: { state: string }): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT max(id)::text AS id FROM security_events
    WHERE event_type = ${eventType} AND resolved_at IS NULL AND details @> ${JSON.stringify(by)}::jsonb`)
  return rows[0]?.id ?? undefined
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
  const { folder, everyHours } = config.backups
  if (folder === undefined) return undefined
  const { finishedAt, failedAt, isOverdue } = await readState(database, everyHours)
  return { lastAt: finishedAt ?? null, isFailing: failedAt !== undefined, isOverdue }
}
