import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { BulkAction } from '#contract/bulk.ts'
import type { Role } from '#contract/permissions.ts'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { LeaseLostError, takeLease } from '#server/db/lease.ts'
import { admins } from '#server/db/tables/auth.ts'
import { bulkItems } from '#server/db/tables/bulk.ts'
import { isActive } from '#server/features/auth/service.ts'
import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { bulkVerbs } from './actions.ts'
import { endJob } from './end.ts'
import { mayDo } from './permissions.ts'

/** So long a job has its turn while others wait. */
const turnMs = 2000
/** Open consoles hear of the progress so often. */
const announceEveryMs = 1000
/** A row that fails for a reason that may pass is tried so often. */
const mostTries = 3
const pauseMs = 300

const repeated = new Set(['40001', '40P01'])

interface RunningJob {
  id: string
  action: BulkAction
  reason: string | null
  startedFrom: string | null
  adminId: string
  adminName: string
  role: Role
  isActive: boolean
}

interface WaitingItem {
  id: string
  entityId: string
  version: number | null
  tries: number
}

type ItemOutcome =
  | { state: 'done' }
  | { state: 'requested'; approvalId: string }
  | { state: 'skipped' | 'failed'; code: string; message: string }
  /** It may succeed in a moment. */
  | 'again'

/** The job if it still runs, with who started it as the operator is now. Nobody stops it until the transaction ends. */
async function lockRunning(tx: Tx, { config }: Ctx, jobId: string): Promise<RunningJob | undefined> {
  const { rows } = await tx.execute<RunningJob & Record<string, unknown>>(sql`
    SELECT j.id::text, j.action, j.reason, j.started_from AS "startedFrom", ${admins.id}::text AS "adminId",
      ${admins.username} AS "adminName", ${admins.role}, coalesce(${isActive(config)}, false) AS "isActive"
    FROM bulk_jobs j JOIN admins ON ${admins.id} = j.created_by
    WHERE j.id = ${jobId} AND j.state = 'running' FOR SHARE OF j`)
  return rows[0]
}

async function lockNextItem(tx: Tx, jobId: string): Promise<WaitingItem | undefined> {
  const { rows } = await tx.execute<WaitingItem & Record<string, unknown>>(sql`
    SELECT id::text, entity_id AS "entityId", version, tries FROM bulk_items
    WHERE job_id = ${jobId} AND state = 'waiting' ORDER BY id LIMIT 1 FOR UPDATE`)
  return rows[0]
}

/** What a failed change means for its row. Throws what ends the whole transaction: it is repeated then. */
function readFailure(ctx: Ctx, error: unknown, { id, tries }: WaitingItem): ItemOutcome {
  if (isDatabaseAway(error) || error instanceof LeaseLostError || repeated.has(sqlState(error) ?? '')) throw error
  if (error instanceof AppError && error.status < 500 && error.retryAfter === undefined)
    return { state: 'skipped', code: error.code, message: error.message }
  if (tries + 1 < mostTries) return 'again'
  if (error instanceof AppError) return { state: 'failed', code: error.code, message: error.message }
  ctx.log.error({ err: error, bulkItem: id }, 'a row of a bulk job failed')
  return { state: 'failed', code: 'internal', message: 'Something went wrong; nothing was changed' }
}

/** Makes the change of one row in the name of who started the job, within the transaction that marks it. */
async function changeItem(tx: Tx, ctx: Ctx, job: RunningJob, item: WaitingItem): Promise<ItemOutcome> {
  const { adminId: id, adminName: name, role } = job
  try {
    const approvalId = await tx.transaction((change) =>
      bulkVerbs[job.action].change(
        {
          ...ctx,
          tx: change,
          // The session may be over.
          actor: { kind: 'admin', id, name, role, sessionId: '0' },
          ipAddress: job.startedFrom,
          bulkJob: job.id,
        },
        item,
        job.reason,
      ),
    )
    return approvalId === null ? { state: 'done' } : { state: 'requested', approvalId }
  } catch (error) {
    return readFailure(ctx, error, item)
  }
}

const writeOutcome = (tx: Tx, { id, tries }: WaitingItem, outcome: ItemOutcome) =>
  tx
    .update(bulkItems)
    .set(outcome === 'again' ? { tries: tries + 1 } : { ...outcome, doneAt: sql`now()` })
    .where(eq(bulkItems.id, id))

type Step = 'next' | 'again' | 'ended'

/** Does the next row, or ends the job. In one transaction, so that no row is done twice or forgotten. */
const takeStep = (ctx: Ctx, jobId: string, isDueToAnnounce: boolean): Promise<Step> =>
  ctx.database.transaction(async (tx) => {
    const job = await lockRunning(tx, ctx, jobId)
    if (!job) return 'ended'
    const cause = !job.isActive ? 'disabled' : mayDo(ctx, job.role, job.action) ? null : 'permission'
    const item = cause ? undefined : await lockNextItem(tx, jobId)
    if (!item) {
      await endJob(tx, ctx, job, cause)
      return 'ended'
    }
    const outcome = await changeItem(tx, ctx, job, item)
    await writeOutcome(tx, item, outcome)
    if (isDueToAnnounce) await announce(tx, 'bulk')
    return outcome === 'again' ? 'again' : 'next'
  })

/** Goes on with a job for its turn, unless another server does. Returns whether it did something. */
async function takeTurn(ctx: Ctx, jobId: string, stop: AbortSignal): Promise<boolean> {
  const lease = await takeLease(ctx.database, `bulk job ${jobId}`, ctx.config.leaseSeconds)
  if (!lease) return false
  const guarded = { ...ctx, database: lease.guard(ctx.database) }
  const endsAt = performance.now() + turnMs
  let announcedAt = 0
  try {
    while (!stop.aborted && !lease.signal.aborted && performance.now() < endsAt) {
      const isDue = performance.now() - announcedAt > announceEveryMs
      const step = await takeStep(guarded, jobId, isDue)
      if (step === 'ended') break
      if (isDue) announcedAt = performance.now()
      if (step === 'again') await pause(pauseMs)
    }
    return true
  } catch (error) {
    // Another server goes on with it.
    if (error instanceof LeaseLostError) return false
    throw error
  } finally {
    await lease.release()
  }
}

async function listRunning({ database }: Ctx): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>({
    name: 'bulk_running',
    text: `SELECT id::text FROM bulk_jobs WHERE state = 'running' ORDER BY id`,
  })
  return rows.map(({ id }) => id)
}

/** Goes on with all running jobs, a turn each, until none is left for this server. */
export async function runBulkJobs(ctx: Ctx, stop: AbortSignal): Promise<void> {
  let isBusy = true
  while (isBusy && !stop.aborted) {
    isBusy = false
    for (const id of await listRunning(ctx)) if (!stop.aborted && (await takeTurn(ctx, id, stop))) isBusy = true
  }
}
