import { sql } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Database, Db } from '#server/db/client.ts'
import { type Lease, LeaseLostError, takeLease } from '#server/db/lease.ts'
import { readPolicyRow, saveFollowedTo } from '#server/features/bank/shared/policy.ts'
import { countLetters } from '#server/features/bank/statements/readers/line.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { LineIndex } from './line-index.ts'
import { readNumberLengths } from '#server/features/bank/scoring/load-lookup.ts'
import { refreshPayerNames } from './payer-names.ts'
import { isWork, prepareJudging, proposeFor } from '#server/features/bank/scoring/score-line.ts'
import { readChanges, SeenChanges } from './read-changes.ts'
import { saveProposals } from './save-proposals.ts'

/** Lines whose look-ups go to the database together. Long texts are as much work as many lines. */
const batchSize = 100
const batchLetters = 20_000

interface Follower {
  /** Present while this server is the one that proposes. */
  lease: Lease | undefined
  /** Absent before the first pass. */
  index: LineIndex | undefined
  seen: SeenChanges
  isRunning: boolean
}
const followers = new WeakMap<Database, Follower>()

function findFollower(database: Database): Follower {
  const known = followers.get(database)
  const follower = known ?? { lease: undefined, index: undefined, seen: new SeenChanges(), isRunning: false }
  followers.set(database, follower)
  return follower
}

/**
 * Stores what is proposed for each line that is work: first for lines without a proposal, then for those that a change of
 * orders, members, payers or the policy concerns (docs/decisions/054). One server at a time does it.
 */
export async function proposeOpenLines(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const follower = findFollower(ctx.database)
  // Two passes at once would share what is remembered of the lines.
  if (follower.isRunning) return
  follower.isRunning = true
  try {
    const lease = await acquireLease(ctx, follower, stop)
    if (lease) await runPass({ ctx, follower, writer: lease.guard(ctx.database), stop })
  } catch (error) {
    // What was not stored is not known any more.
    follower.index = undefined
    if (!(error instanceof LeaseLostError)) throw error
  } finally {
    follower.isRunning = false
  }
}

/** Lets another server propose at once. Call this when this one stops, after its last pass. */
export async function endProposing({ database }: Pick<Ctx, 'database'>): Promise<void> {
  const follower = findFollower(database)
  const { lease } = follower
  follower.lease = undefined
  await lease?.release()
}

async function acquireLease({ config, database }: Ctx, follower: Follower, stop: AbortSignal): Promise<Lease | null> {
  if (follower.lease && !follower.lease.signal.aborted) return follower.lease
  follower.lease = undefined
  const lease = stop.aborted ? null : await takeLease(database, 'propose matches', config.leaseSeconds)
  if (!lease) return null
  follower.lease = lease
  // Another server may have proposed in the meantime.
  follower.index = undefined
  return lease
}

/** A pass over the lines, and what it works with. */
interface Pass {
  ctx: Ctx
  follower: Follower
  /** Its transactions fail where another server proposes by now, so that what this one still wants to store is not stored. */
  writer: Database
  stop: AbortSignal
}

async function runPass(pass: Pass): Promise<void> {
  const { ctx, follower, writer, stop } = pass
  const { db } = ctx.database
  const to = await readOldestTransaction(db)
  const policy = await readPolicyRow(db)
  const { followedTo } = policy
  const numberLengths = await readNumberLengths(db)
  const isSame = follower.index && [...numberLengths].every((length) => follower.index!.numberLengths.has(length))
  const changes = isSame && followedTo !== null ? await readChanges(db, followedTo, follower.seen) : null
  if (!follower.index || !changes) {
    await refreshPayerNames(writer, null, stop)
    follower.index = new LineIndex(numberLengths)
    follower.seen = new SeenChanges()
    await proposeAll(pass, follower.index)
  } else {
    const { index } = follower
    if (changes.members.length > 0)
      await refreshPayerNames(
        writer,
        changes.members.map(({ id }) => id),
        stop,
      )
    const fresh = await readUnproposed(db)
    const concerned = [...index.find(changes.keys), ...changes.members.flatMap((member) => index.findNamed(member))]
    await proposeBatches(pass, index, [...new Set([...fresh, ...concerned])])
    await proposeBatches(pass, index, index.findOthers(fresh))
    if (changes.keys.size === 0) return
  }
  if (stop.aborted) return
  await writer.transaction((tx) => saveFollowedTo(tx, policy, to))
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
async function proposeAll(pass: Pass, index: LineIndex): Promise<void> {
  const { db } = pass.ctx.database
  const fresh = await readUnproposed(db)
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id::text FROM bank_lines WHERE suggestion IS NOT NULL AND state IN ('open', 'part') ORDER BY id`,
  )
  await proposeBatches(pass, index, [...fresh, ...rows.map(({ id }) => id)])
}

async function proposeBatches(pass: Pass, index: LineIndex, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length && !pass.stop.aborted; at += batchSize) {
    const batch = ids.slice(at, at + batchSize)
    const found = await readStoredLines(
      pass.ctx.database.db,
      sql`WHERE l.id = ANY(${textArray(batch)}::bigint[]) ORDER BY l.id`,
    )
    for (const { id } of found.filter((stored) => !isWork(stored))) index.delete(id)
    for (const part of divideByLetters(found.filter(isWork))) await proposeBatch(pass, index, part)
  }
}

function divideByLetters(lines: readonly StoredLine[]): StoredLine[][] {
  const parts: StoredLine[][] = []
  let left = 0
  for (const stored of lines) {
    left -= countLetters(stored.line)
    if (left > 0) parts.at(-1)!.push(stored)
    else {
      parts.push([stored])
      left = batchLetters
    }
  }
  return parts
}

async function proposeBatch({ ctx, writer }: Pass, index: LineIndex, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return
  const judging = await prepareJudging(ctx.database.db, lines)
  const proposals = []
  const pause = createPauses()
  for (const stored of lines) {
    await pause()
    const proposal = proposeFor(stored, judging)
    index.set(proposal)
    proposals.push(proposal)
  }
  await saveProposals(writer, proposals)
}
