import { eq, sql } from 'drizzle-orm'
import type { Severity } from '#contract/security.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { announce } from './audit.ts'
import type { Ctx } from './context.ts'

interface CountedEvent<Details> {
  type: string
  severity: Severity
  /** What it is counted by, as its details name it: an endpoint, a sender. */
  by: Record<string, string>
  /** The event that is added to however old it is. */
  of?: string | undefined
  /** What the event says; `present` are the details of the one that is added to, `id` is its id. */
  describe: (present?: Details, id?: string) => { description: string; details: Details }
}

/**
 * Reports what may happen many times: one security event a minute, which counts it, unless an operator has resolved that.
 * Transactions that count by the same wait here for each other, so it is the last step of one. Answers the event's id.
 */
export async function countSecurityEvent<Details extends object>(
  tx: Tx,
  { ipAddress }: Pick<Ctx, 'ipAddress'>,
  { type, severity, by, of = '0', describe }: CountedEvent<Details>,
): Promise<string> {
  await lockInTransaction(tx, [type, ...Object.values(by)].join('/'))
  const { rows } = await tx.execute<{ id: string; details: Details }>(sql`
    SELECT id::text, details FROM security_events
    WHERE resolved_at IS NULL AND (id = ${of}::bigint OR (event_type = ${type}
      AND details @> ${JSON.stringify(by)}::jsonb AND created_at > clock_timestamp() - interval '1 minute'))
    ORDER BY id = ${of}::bigint DESC, created_at DESC, id DESC LIMIT 1 FOR UPDATE`)
  const [open] = rows
  const text = describe(open?.details, open?.id)
  const details = { ...text.details, ...by }
  await announce(tx, 'security')
  if (open) {
    // Without its number it is sent out once more, with the present count.
    await tx
      .update(securityEvents)
      .set({ ...text, details, version: sql`${securityEvents.version} + 1`, seq: null })
      .where(eq(securityEvents.id, open.id))
    return open.id
  }
  const [event] = await tx
    .insert(securityEvents)
    .values({ severity, eventType: type, ipAddress, ...text, details })
    .returning({ id: securityEvents.id })
  return event!.id
}
