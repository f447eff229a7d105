import { sql } from 'drizzle-orm'
import type { Suggestion } from '#contract/bank-allocations.ts'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Database, Db } from '#server/db/client.ts'
import { type Lease, LeaseLostError, takeLease } from '#server/db/lease.ts'
import { createPauses } from '#server/lib/pauses.ts'
import {
  buildProposal,
  isWork,
  type LineProposal,
  loadScoringContext,
} from '#server/features/bank/candidates/build-proposal.ts'
import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { readNumberLengths } from '#server/features/bank/candidates/load-lookup.ts'
import { readPolicyRow, saveRefreshedTo } from '#server/features/bank/shared/policy.ts'
import { countLetters } from '#server/features/bank/statements/readers/statement.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { LineIndex } from './line-index.ts'
import { refreshPayerNames } from './payer-names.ts'
import { type HandledChanges, readChanges } from './read-changes.ts'

/** Lines whose look-ups go to the database together. Long texts are as much work as many lines. */
const batchSize = 100
const batchLetters = 20_000

/** What a server keeps between two passes. */
interface ProposalRefresh {
  /** Present while this server is the one that proposes. */
  lease: Lease | undefined
  /** Absent before the first pass. */
  index: LineIndex | undefined
  handled: HandledChanges
  isRunning: boolean
}
const refreshes = new WeakMap<Database, ProposalRefresh>()

function findRefresh(database: Database): ProposalRefresh {
  const known = refreshes.get(database)
  const refresh = known ?? { lease: undefined, index: undefined, handled: new Set<string>(), isRunning: false }
  refreshes.set(database, refresh)
  return refresh
}

/**
 * Stores what is proposed for each line that is work: first for lines without a proposal, then for those that a change of
 * orders, members, payers or the policy concerns (docs/decisions/054). One server at a time does it.
 */
export async function refreshProposals(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const refresh = findRefresh(ctx.database)
  // Two passes at once would share what is remembered of the lines.
  if (refresh.isRunning) return
  refresh.isRunning = true
  try {
    const lease = await acquireLease(ctx, refresh, stop)
    if (lease) await runPass({ ctx, refresh, writer: lease.guard(ctx.database), stop })
  } catch (error) {
    // What was not stored is not known any more.
    refresh.index = undefined
    if (!(error instanceof LeaseLostError)) throw error
  } finally {
    refresh.isRunning = false
  }
}

/** Lets another server propose at once. Call this when this one stops, after its last pass. */
export async function endProposalRefresh({ database }: Pick<Ctx, 'database'>): Promise<void> {
  const refresh = findRefresh(database)
  const { lease } = refresh
  refresh.lease = undefined
  await lease?.release()
}

async function acquireLease(
  { config, database }: Ctx,
  refresh: ProposalRefresh,
  stop: AbortSignal,
): Promise<Lease | null> {
  if (refresh.lease && !refresh.lease.signal.aborted) return refresh.lease
  refresh.lease = undefined
  const lease = stop.aborted ? null : await takeLease(database, 'propose matches', config.leaseSeconds)
  if (!lease) return null
  refresh.lease = lease
  // Another server may have proposed in the meantime.
  refresh.index = undefined
  return lease
}

/** A pass over the lines, and what it works with. */
interface Pass {
  ctx: Ctx
  refresh: ProposalRefresh
  /** Its transactions fail where another server proposes by now, so that what this one still wants to store is not stored. */
  writer: Database
  stop: AbortSignal
}

async function runPass(pass: Pass): Promise<void> {
  const { ctx, refresh, writer, stop } = pass
  const { db } = ctx.database
  const to = await readOldestTransaction(db)
  const policy = await readPolicyRow(db)
  const { refreshedTo: from } = policy
  const numberLengths = await readNumberLengths(db)
  const isSame = refresh.index && [...numberLengths].every((length) => refresh.index!.numberLengths.has(length))
  if (!refresh.index || !isSame || from === null) {
    await refreshPayerNames(writer, null, stop)
    refresh.index = new LineIndex(numberLengths)
    refresh.handled = new Set()
    await refreshAll(pass, refresh.index)
  } else if (!(await refreshConcerned(pass, refresh.index, { from, to }))) return
  if (stop.aborted) return
  await writer.transaction((tx) => saveRefreshedTo(tx, policy, to))
}

/** Lines without a proposal, and those that changes concern, each once. Returns whether there were changes. */
async function refreshConcerned(pass: Pass, index: LineIndex, range: { from: string; to: string }): Promise<boolean> {
  const { ctx, refresh, writer, stop } = pass
  const { db } = ctx.database
  const concerned = new Set<string>()
  let isChanged = false
  for await (const { keys, members } of readChanges(db, range, refresh.handled)) {
    if (stop.aborted) return false
    if (keys.size === 0) continue
    isChanged = true
    const ids = members.map(({ id }) => id)
    if (ids.length > 0) await refreshPayerNames(writer, ids, stop)
    for (const id of [...index.find(keys), ...members.flatMap((member) => index.findNamed(member))]) concerned.add(id)
  }
  const fresh = await readUnproposed(db)
  await refreshBatches(pass, index, [...new Set([...fresh, ...concerned])])
  await refreshBatches(pass, index, index.findOthers(fresh))
  return isChanged
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
async function refreshAll(pass: Pass, index: LineIndex): Promise<void> {
  const { db } = pass.ctx.database
  const fresh = await readUnproposed(db)
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id::text FROM bank_lines WHERE suggestion IS NOT NULL AND state IN ('open', 'part') ORDER BY id`,
  )
  await refreshBatches(pass, index, [...fresh, ...rows.map(({ id }) => id)])
}

async function refreshBatches(pass: Pass, index: LineIndex, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length && !pass.stop.aborted; at += batchSize) {
    const batch = ids.slice(at, at + batchSize)
    const found = await readStoredLines(
      pass.ctx.database.db,
      sql`WHERE l.id = ANY(${textArray(batch)}::bigint[]) ORDER BY l.id`,
    )
    for (const { id } of found.filter((stored) => !isWork(stored))) index.delete(id)
    for (const group of divideByLetters(found.filter(isWork))) await refreshBatch(pass, index, group)
  }
}

function divideByLetters(lines: readonly StoredLine[]): StoredLine[][] {
  const groups: StoredLine[][] = []
  let left = 0
  for (const stored of lines) {
    left -= countLetters(stored.line)
    if (left > 0) groups.at(-1)!.push(stored)
    else {
      groups.push([stored])
      left = batchLetters
    }
  }
  return groups
}

async function refreshBatch({ ctx, writer }: Pass, index: LineIndex, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return
  const scoring = await loadScoringContext(ctx.database.db, lines)
  const proposals = []
  const pause = createPauses()
  for (const stored of lines) {
    await pause()
    const proposal = buildProposal(stored, scoring)
    index.set(proposal)
    proposals.push(proposal)
  }
  await saveProposals(writer, proposals)
}

/** What is proposed in a word (product 7.12). */
export function toSuggestion({ candidates, obstacle }: LineProposal): Suggestion {
  if (candidates.length === 0) return 'unmatched'
  return obstacle === null ? 'exact' : 'check'
}

/** Of candidates that fit equally none is the first. */
function toRow(proposal: LineProposal) {
  const { stored, outcome, candidates, equallyGood } = proposal
  const [best] = candidates
  return {
    id: stored.id,
    version: stored.version,
    suggestion: toSuggestion(proposal),
    outcome,
    flags: best?.kind === 'order' ? best.flags : [],
    orders: best && equallyGood < 2 ? listOrders(best).map(({ orderNumber }) => orderNumber) : [],
  }
}

const toArray = (column: string) => sql.raw(`ARRAY(SELECT jsonb_array_elements_text(r.${column}))`)

/**
 * Stores proposals with the lines that are as they were read. A proposal is not a change of a line, so its version stays.
 * Announces the lines if one of them shows something else now.
 */
async function saveProposals(writer: Pick<Database, 'transaction'>, proposals: readonly LineProposal[]): Promise<void> {
  const rows = proposals.map(toRow)
  await writer.transaction(async (tx) => {
    // In the order in which operators lock lines.
    await tx.execute(sql`SELECT id FROM bank_lines
      WHERE id = ANY(${textArray(rows.map(({ id }) => id))}::bigint[]) ORDER BY id FOR NO KEY UPDATE`)
    const { rows: changed } = await tx.execute<{ id: string }>(sql`
      UPDATE bank_lines l SET suggestion = r.suggestion, outcome = r.outcome, flags = ${toArray('flags')},
        proposed_orders = ${toArray('orders')}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(id bigint, version int, suggestion text, outcome text, flags jsonb, orders jsonb)
      WHERE l.id = r.id AND l.version = r.version AND l.state IN ('open', 'part')
        AND (l.suggestion, l.outcome, l.flags, l.proposed_orders)
          IS DISTINCT FROM (r.suggestion, r.outcome, ${toArray('flags')}, ${toArray('orders')})
      RETURNING l.id::text`)
    if (changed.length > 0) await announce(tx, 'bank')
  })
}
