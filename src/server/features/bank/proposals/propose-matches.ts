import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type pg from 'pg'
import { textArray } from '#server/core/upsert.ts'
import type { Ctx } from '#server/core/context.ts'
import { tryAdvisoryLock } from '#server/db/advisory-lock.ts'
import { type Database, type Db, readConnectionOptions } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { bankPolicy } from '#server/db/tables/bank-parts.ts'
import { readPolicyRow } from '#server/features/bank/policy-row.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/stored-line.ts'
import { LineIndex } from './line-index.ts'
import { readNumberLengths } from './load-world.ts'
import { refreshPayerNames } from './payer-names.ts'
import { isWork, prepareJudging, proposeFor } from './propose.ts'
import { readChanges, SeenChanges } from './read-changes.ts'
import { saveProposals } from './save-proposals.ts'

/** Lines whose look-ups go to the database together. */
const batchSize = 100
/** Lines between which other work of this server gets its turn. */
const sliceSize = 10

interface Follower {
  /** Present while this server is the one that proposes. */
  lock: pg.Client | undefined
  /** Absent before the first pass. */
  index: LineIndex | undefined
  seen: SeenChanges
}
const followers = new WeakMap<Database, Follower>()

/**
 * Stores what is proposed for each line that is work: first for lines without a proposal, then for those that a change of
 * orders, members, payers or the policy concerns (docs/decisions/054). One server at a time does it.
 */
export async function proposeOpenLines(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const follower = followers.get(ctx.database) ?? { lock: undefined, index: undefined, seen: new SeenChanges() }
  followers.set(ctx.database, follower)
  if (!(await acquireLock(ctx, follower, stop))) return
  try {
    await runPass(ctx, follower, stop)
  } catch (error) {
    // What was not stored is not known any more.
    follower.index = undefined
    throw error
  }
}

/** Takes a lock that ends with this process, on a connection of its own. */
async function acquireLock({ database }: Ctx, follower: Follower, stop: AbortSignal): Promise<boolean> {
  if (follower.lock) return true
  const client = await connectOnce({
    ...readConnectionOptions(database.pool),
    keepAlive: true,
    application_name: 'back-office proposals',
  })
  if (stop.aborted || !(await tryAdvisoryLock(client, 'propose matches'))) {
    await client.end()
    return false
  }
  follower.lock = client
  // Another server may have proposed in the meantime.
  follower.index = undefined
  const release = () => void client.end().catch(() => {})
  stop.addEventListener('abort', release, { once: true })
  client.once('end', () => {
    stop.removeEventListener('abort', release)
    if (follower.lock === client) follower.lock = undefined
  })
  return true
}

async function runPass(ctx: Ctx, follower: Follower, stop: AbortSignal): Promise<void> {
  const { db } = ctx.database
  const to = await readOldestTransaction(db)
  const { followedTo, version } = await readPolicyRow(db)
  const numberLengths = await readNumberLengths(db)
  const isSame = follower.index && [...numberLengths].every((length) => follower.index!.numberLengths.has(length))
  const changes = isSame && followedTo !== null ? await readChanges(db, followedTo, follower.seen) : null
  if (!follower.index || !changes) {
    await refreshPayerNames(db, null, stop)
    follower.index = new LineIndex(numberLengths)
    follower.seen = new SeenChanges()
    await proposeAll(ctx, follower.index, stop)
  } else {
    const { index } = follower
    if (changes.members.length > 0)
      await refreshPayerNames(
        db,
        changes.members.map(({ id }) => id),
        stop,
      )
    const fresh = await readUnproposed(db)
    const concerned = [...index.find(changes.keys), ...changes.members.flatMap((member) => index.findNamed(member))]
    await proposeBatches(ctx, index, [...new Set([...fresh, ...concerned])], stop)
    if (changes.keys.size === 0) return
  }
  if (!stop.aborted) await db.update(bankPolicy).set({ followedTo: to }).where(eq(bankPolicy.version, version))
}

async function readOldestTransaction(db: Db): Promise<string> {
  const { rows } = await db.execute<{ oldest: string }>(
    sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`,
  )
  return rows[0]!.oldest
}

async function readUnproposed(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id::text FROM bank_lines WHERE suggestion IS NULL AND state IN ('open', 'part') ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}

/** Every line that is work, those without a proposal first. */
async function proposeAll(ctx: Ctx, index: LineIndex, stop: AbortSignal): Promise<void> {
  const fresh = await readUnproposed(ctx.database.db)
  const { rows } = await ctx.database.db.execute<{ id: string }>(
    sql`SELECT id::text FROM bank_lines WHERE suggestion IS NOT NULL AND state IN ('open', 'part') ORDER BY id`,
  )
  await proposeBatches(ctx, index, [...fresh, ...rows.map(({ id }) => id)], stop)
}

async function proposeBatches(ctx: Ctx, index: LineIndex, ids: readonly string[], stop: AbortSignal): Promise<void> {
  for (let at = 0; at < ids.length && !stop.aborted; at += batchSize) {
    const batch = ids.slice(at, at + batchSize)
    const found = await readStoredLines(
      ctx.database.db,
      sql`WHERE l.id = ANY(${textArray(batch)}::bigint[]) ORDER BY l.id`,
    )
    for (const { id } of found.filter((stored) => !isWork(stored))) index.delete(id)
    await proposeBatch(ctx, index, found.filter(isWork))
  }
}

async function proposeBatch(ctx: Ctx, index: LineIndex, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return
  const judging = await prepareJudging(ctx.database.db, lines)
  const proposals = []
  for (const [n, stored] of lines.entries()) {
    if (n % sliceSize === 0) await nextTurn()
    const proposal = proposeFor(stored, judging)
    index.set(proposal)
    proposals.push(proposal)
  }
  await saveProposals(ctx, proposals)
}
