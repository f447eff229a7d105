import { eq, sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'

const type = 'import_decision_refused'

/** What the imports of one sender carried within a minute. */
interface RefusalCount {
  imports: number
  count: number
  /** Of the first of those imports. */
  firstLine: number
}

/**
 * Reports lines that carry a decision on what waits here, in the transaction of their batch: one security event a sender and
 * minute, which counts them, so that neither a whole file of such lines nor many short imports flood the log. Answers the
 * event, to which later batches of the same import are added however long it takes.
 */
export async function reportRefusedDecisions(
  tx: Tx,
  ctx: Ctx,
  eventOfImport: string | undefined,
  outcomes: ReadonlyMap<number, Outcome>,
): Promise<string | undefined> {
  const lines = [...outcomes].flatMap(([line, outcome]) =>
    outcome instanceof AppError && outcome.code === 'decision_waits_here' ? [line] : [],
  )
  if (lines.length === 0 || ctx.isDryRun) return eventOfImport
  const open = await lockOpenEvent(tx, ctx, eventOfImport)
  const refused: RefusalCount = {
    imports: (open?.details.imports ?? 0) + (open && open.id === eventOfImport ? 0 : 1),
    count: (open?.details.count ?? 0) + lines.length,
    firstLine: open?.details.firstLine ?? Math.min(...lines),
  }
  const eventId = open ? await updateEvent(tx, ctx, open.id, refused) : await insertEvent(tx, ctx, refused)
  await announce(tx, 'security')
  return eventId
}

type OpenEvent = { id: string; details: RefusalCount }

/** The event that is added to, unless an operator has resolved it. Imports of one sender wait here for each other. */
async function lockOpenEvent(tx: Tx, { actor }: Ctx, eventOfImport = '0'): Promise<OpenEvent | undefined> {
  await lockInTransaction(tx, `${type}:${actor.name}`)
  const { rows } = await tx.execute<OpenEvent>(sql`
    SELECT id::text, details FROM security_events
    WHERE resolved_at IS NULL AND (id = ${eventOfImport}::bigint OR (event_type = ${type}
      AND details->>'actor' = ${actor.name} AND created_at > clock_timestamp() - interval '1 minute'))
    ORDER BY id = ${eventOfImport}::bigint DESC, created_at DESC, id DESC LIMIT 1 FOR UPDATE`)
  return rows[0]
}

function describeRefusals({ actor }: Ctx, { imports, count, firstLine }: RefusalCount) {
  const who = actor.kind === 'platform' ? `the key ${actor.name}` : actor.name
  const from = imports === 1 ? `An import of ${who}` : `${imports} imports of ${who}`
  const what = count === 1 ? 'a KYC attempt or order that waits' : `${count} KYC attempts and orders that wait`
  return {
    description: `${from} carried decisions on ${what} for an operator here; refused`,
    details: { actor: actor.name, imports, count, firstLine },
  }
}

async function insertEvent(tx: Tx, ctx: Ctx, refused: RefusalCount): Promise<string> {
  const [event] = await tx
    .insert(securityEvents)
    .values({ severity: 'high', eventType: type, ipAddress: ctx.ipAddress, ...describeRefusals(ctx, refused) })
    .returning({ id: securityEvents.id })
  return event!.id
}

async function updateEvent(tx: Tx, ctx: Ctx, id: string, refused: RefusalCount): Promise<string> {
  await tx
    .update(securityEvents)
    .set({ ...describeRefusals(ctx, refused), version: sql`${securityEvents.version} + 1` })
    .where(eq(securityEvents.id, id))
  return id
}
