import { and, eq, sql } from 'drizzle-orm'
import { type AlarmOutputName, alarmPatienceMinutes } from '#contract/alarms.ts'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { type Lease, LeaseLostError, takeLease } from '#server/db/lease.ts'
import { alarmOutputs } from '#server/db/tables/alarms.ts'
import { numberEvents } from '#server/features/security/service.ts'
import { minute, retryPause } from '#server/lib/pauses.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Tx } from '#server/db/client.ts'
import type { AlarmState } from '#contract/schemas/security.ts'
import { instant } from '#server/db/select.ts'
import { findOutput, type SendBatch, listOutputs } from './outputs.ts'
import {
  type AlarmBatch,
  type AlarmPosition,
  batchSize,
  readBatch,
  reduceRecord,
  type SendFailure,
  type AlarmRecord,
  listSeverities,
} from './records.ts'

const stateSql = `
  SELECT o.name AS output, ${instant('o.last_sent_at')} AS "lastSentAt", ${instant('o.failing_since')} AS "failingSince",
    ${instant('o.next_try_at')} AS "nextTryAt", o.problem,
    ((SELECT count(*) FROM security_events AS e WHERE (e.seq > o.event_seq OR e.seq IS NULL) AND e.severity = ANY($2))
      + coalesce((SELECT max(seq) FROM audit_chain), 0) - o.audit_seq)::int AS waiting
  FROM alarm_outputs AS o WHERE o.name = ANY($1)`

/** What each output that is set has sent, what waits for it, and since when it fails (product 5.12). */
export async function readAlarms({ config, database: { pool } }: Ctx): Promise<AlarmState[]> {
  const names = listOutputs(config)
  if (names.length === 0) return []
  const values = [names, listSeverities(config.alarms.minSeverity)]
  const { rows } = await pool.query<AlarmState>({ name: 'alarm_state', text: stateSql, values })
  return names.map((output) => rows.find((row) => row.output === output) ?? newState(output))
}

/** An output that no server has looked at yet. */
const newState = (output: AlarmOutputName): AlarmState => ({
  output,
  waiting: 0,
  lastSentAt: null,
  failingSince: null,
  nextTryAt: null,
  problem: null,
})

/** The number of outputs that fail for longer than operators are spared (product 3.6). */
export async function countFailingOutputs({ config, database: { pool } }: Ctx): Promise<number> {
  const names = listOutputs(config)
  if (names.length === 0) return 0
  const { rows } = await pool.query<{ count: number }>({
    name: 'alarms_failing',
    text: `SELECT count(*)::int AS count FROM alarm_outputs
      WHERE name = ANY($1) AND failing_since < now() - interval '${alarmPatienceMinutes} minutes'`,
    values: [names],
  })
  return rows[0]!.count
}

/** Answers to what a post says, also those of a filter in front of the receiver. Others are about the receiver or its address. */
const refusing: ReadonlySet<number> = new Set([400, 403, 406, 413, 415, 422, 451])
/** After so many tries in a row, some five minutes, a fault of the receiver counts as one that the post causes. */
const triesOfFault = 8

/** Whether the other side may take the batch if it says something else. */
const isRefusal = ({ status, retryAfter }: SendFailure, failures: number): boolean =>
  retryAfter === undefined &&
  typeof status === 'number' &&
  (refusing.has(status) || (status === 500 && failures + 1 >= triesOfFault))

const eventType = 'alarm_refused'

/**
 * Reports that a receiver took a record only without what others chose. The event repeats none of that, or it would be
 * refused itself; one about such events would never end.
 */
async function reportRefusedRecord(
  tx: Tx,
  ctx: Ctx,
  output: AlarmOutputName,
  { id, action }: AlarmRecord,
  { status }: SendFailure,
): Promise<void> {
  if (action === eventType) return
  await countSecurityEvent<{ count: number; records: string[] }>(tx, ctx, {
    type: eventType,
    severity: 'medium',
    by: { output },
    describe(present) {
      const count = (present?.count ?? 0) + 1
      const others = count === 1 ? '' : ` and ${count - 1} more`
      const description = `The ${output} of alarms refused ${id}${others} with HTTP ${status}, and has it without its words: read it here`
      return { description, details: { count, records: [...(present?.records ?? []), id].slice(-mostNamed) } }
    },
  })
}
const mostNamed = 20

/** Seconds before each retry; the last one repeats for as long as it takes. */
const pauses = [2, 5, 15, 30, minute, 2 * minute, 5 * minute] as const
const longestPause = 15 * minute

/**
 * Sends the alarms of one output until none are left. One server at a time sends to it. The output moves on only after
 * the other side has what was sent, so that nothing is lost, and what was under way when a server died is sent again.
 */
export async function sendAlarms(ctx: Ctx, name: AlarmOutputName, stop: AbortSignal): Promise<void> {
  const send = findOutput(ctx.config, name)
  if (!send) return
  await numberEvents(ctx)
  // The lease is asked for only when there is something to send.
  const isIdle = !(await readDue(ctx, name).then((from) => from && readBatch(ctx, from)))
  if (isIdle || stop.aborted) return
  const lease = await takeLease(ctx.database, `alarms ${name}`, ctx.config.leaseSeconds)
  if (!lease) return
  try {
    await sendAll({ ...ctx, database: lease.guard(ctx.database) }, { name, send, lease }, stop)
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
  } finally {
    await lease.release()
  }
}

interface HeldOutput {
  name: AlarmOutputName
  send: SendBatch
  lease: Lease
}

async function sendAll(ctx: Ctx, { name, send, lease }: HeldOutput, stop: AbortSignal): Promise<void> {
  const held = AbortSignal.any([stop, lease.signal])
  let most = batchSize
  while (!held.aborted) {
    // Another server may have sent since, so the position is read while nobody else does.
    const from = await readDue(ctx, name)
    const batch = from && (await readBatch(ctx, from, most))
    if (!batch) return
    const outcome = await sendOrReduce(send, batch, from, held)
    if (outcome === 'aborted') return
    if (outcome === 'split') {
      most = Math.floor(batch.records.length / 2)
      continue
    }
    if ('problem' in outcome) return recordFailure(ctx, name, outcome)
    await saveSent(ctx, name, from, outcome)
    if (!batch.isFull) return
    if (batch.records.length > 0) most = batchSize
  }
}

/**
 * Sends a batch. What the other side refuses for what it says is split, so that it holds up nothing else, and at last
 * sent as a single record without what others chose. Returns what was sent.
 */
async function sendOrReduce(
  send: SendBatch,
  batch: AlarmBatch,
  from: DuePosition,
  held: AbortSignal,
): Promise<AlarmBatch | SendFailure | 'split' | 'aborted'> {
  if (batch.records.length === 0) return batch
  const failure = await trySend(send, batch, from, held)
  if (failure === null) return batch
  if (failure === 'aborted' || !isRefusal(failure, from.failures)) return failure
  if (batch.records.length > 1) return 'split'
  const reduced: AlarmBatch = { ...batch, records: batch.records.map(reduceRecord), isReduced: true }
  const again = await trySend(send, reduced, from, held)
  if (again === 'aborted') return again
  // Where that is refused too, it is not for what the record says.
  return again === null ? { ...reduced, refusal: failure } : failure
}

async function trySend(send: SendBatch, batch: AlarmBatch, from: AlarmPosition, held: AbortSignal) {
  try {
    return await send(batch, from, held)
  } catch (error) {
    if (held.aborted) return 'aborted'
    throw error
  }
}

interface DuePosition extends AlarmPosition {
  /** How many tries in a row have failed. */
  failures: number
}

/** The position of an output that is to be tried now. A new one begins with what comes from now on. */
async function readDue({ database: { db } }: Ctx, name: AlarmOutputName): Promise<DuePosition | null> {
  const read = () =>
    db
      .select({
        eventSeq: alarmOutputs.eventSeq,
        auditSeq: alarmOutputs.auditSeq,
        failures: alarmOutputs.failures,
        isDue: sql<boolean>`${alarmOutputs.nextTryAt} IS NULL OR ${alarmOutputs.nextTryAt} <= now()`,
      })
      .from(alarmOutputs)
      .where(eq(alarmOutputs.name, name))
  const [found] = await read()
  if (found) return found.isDue ? found : null
  await db
    .insert(alarmOutputs)
    .values({
      name,
      eventSeq: sql`coalesce((SELECT max(seq) FROM security_events), 0)`,
      auditSeq: sql`coalesce((SELECT max(seq) FROM audit_chain), 0)`,
    })
    .onConflictDoNothing()
  return null
}

/** Moves the output on. A position that changed meanwhile is another server's, and stays. */
async function saveSent(ctx: Ctx, name: AlarmOutputName, from: AlarmPosition, { upTo, records, refusal }: AlarmBatch) {
  const { eventSeq, auditSeq } = from
  await inTransaction(ctx, async (tx) => {
    const [before] = await tx
      .select({ failingSince: alarmOutputs.failingSince })
      .from(alarmOutputs)
      .where(eq(alarmOutputs.name, name))
      .for('update')
    const isSent = records.length > 0
    await tx
      .update(alarmOutputs)
      .set({
        ...upTo,
        ...(isSent && { lastSentAt: sql`now()`, failures: 0, failingSince: null, nextTryAt: null, problem: null }),
      })
      .where(and(eq(alarmOutputs.name, name), eq(alarmOutputs.eventSeq, eventSeq), eq(alarmOutputs.auditSeq, auditSeq)))
    if (isSent && before?.failingSince) await announce(tx, 'security')
    if (refusal) await reportRefusedRecord(tx, ctx, name, records[0]!, refusal)
  })
}

async function recordFailure(ctx: Ctx, name: AlarmOutputName, { problem, retryAfter }: SendFailure): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [held] = await tx.select().from(alarmOutputs).where(eq(alarmOutputs.name, name)).for('update')
    const { failures, failingSince } = held!
    const seconds = retryPause(pauses[Math.min(failures, pauses.length - 1)]!, retryAfter, longestPause)
    await tx
      .update(alarmOutputs)
      .set({
        failures: failures + 1,
        failingSince: sql`coalesce(${alarmOutputs.failingSince}, now())`,
        nextTryAt: sql`now() + make_interval(secs => ${seconds})`,
        problem,
      })
      .where(eq(alarmOutputs.name, name))
    if (failingSince) return
    ctx.log.warn({ output: name, problem }, 'alarms could not be sent; they are sent again')
    await announce(tx, 'security')
  })
}
