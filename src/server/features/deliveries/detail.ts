import { eq } from 'drizzle-orm'
import { RowId } from '#contract/common.ts'
import type { Delivery, DeliveryDetail, DeliveryTry } from '#contract/deliveries.ts'
import { caseBody, personalFields } from '#server/adapters/kyc-provider.ts'
import { eventBody } from '#server/adapters/platform-endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { expressions, selected } from '#server/db/select.ts'
import { eventAttempts, outbox } from '#server/db/tables/events.ts'
import { kycWebhookLogs } from '#server/db/tables/webhooks.ts'
import { AppError, notFound } from '#server/errors.ts'
import { readCase } from '#server/features/webhooks/service.ts'
import { deliveryList } from './list.ts'

const mostAttempts = 50

/** Which row of which table a delivery's id stands for: the tables' ids interleave (see the view's migration). */
export function sourceOf(id: string): { kind: Delivery['kind']; id: string } | null {
  if (!RowId.safeParse(id).success) return null
  const number = BigInt(id)
  const kind = ([null, 'event', 'case', 'result'] as const)[Number(number % 4n)]
  return kind ? { kind, id: String(number / 4n) } : null
}

/** A message with its body and its tries, newest first. Throws not_found for an id of any other form too. */
export async function readDelivery(ctx: Ctx, id: string): Promise<DeliveryDetail> {
  const source = sourceOf(id)
  if (!source) throw notFound('Delivery')
  const { rows } = await ctx.database.pool.query<Delivery>({
    name: `delivery_${source.kind}`,
    text: `SELECT ${selected(deliveryList.select)} FROM deliveries t ${deliveryList.join}
      WHERE t.kind = '${source.kind}' AND t.source_id = $1`,
    values: [source.id],
  })
  const delivery = rows[0]
  if (!delivery) throw notFound('Delivery')
  const [body, attempts] = await Promise.all([bodyOf(ctx, delivery, source.id), attemptsOf(ctx, delivery, source.id)])
  return { ...delivery, body, attempts }
}

async function bodyOf(ctx: Ctx, { kind, entityId, attemptNumber }: Delivery, id: string): Promise<string | null> {
  if (kind === 'event') return bodyOfEvent(ctx, id)
  if (kind === 'case') return bodyOfCase(ctx, entityId!, attemptNumber!)
  const { rows } = await ctx.database.pool.query<{ body: string | null }>(
    'SELECT body_excerpt AS body FROM kyc_receipts WHERE id = $1',
    [id],
  )
  return rows[0]?.body ?? null
}

async function bodyOfEvent({ database: { db } }: Ctx, id: string): Promise<string | null> {
  const { type, createdAt, payload } = outbox
  const [event] = await db.select({ type, createdAt, payload }).from(outbox).where(eq(outbox.id, id))
  return event ? eventBody(event) : null
}

const masked = '[redacted]'

/**
 * What the provider would be sent now, without what says who somebody is: the member's own page shows that to whom it
 * concerns. Null where its submission is gone.
 */
async function bodyOfCase(ctx: Ctx, memberId: string, attemptNumber: number): Promise<string | null> {
  const sent = await readCase(ctx, { memberId, attemptNumber }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (!sent) return null
  const hidden = Object.fromEntries(personalFields.flatMap((name) => (sent[name] === null ? [] : [[name, masked]])))
  return caseBody({ ...sent, ...hidden })
}

const tryColumns = (table: typeof eventAttempts | typeof kycWebhookLogs) => ({
  id: table.id,
  tryNumber: table.tryNumber,
  success: table.success,
  errorMessage: table.errorMessage,
  httpStatus: table.httpStatus,
  latencyMs: table.latencyMs,
  responseExcerpt: table.responseExcerpt,
  startedBy: table.startedBy,
  createdAt: table.createdAt,
})

async function attemptsOf({ database: { pool } }: Ctx, { kind, entityId, attemptNumber }: Delivery, id: string) {
  if (kind === 'result') return []
  const isEvent = kind === 'event'
  const select = selected(expressions(tryColumns(isEvent ? eventAttempts : kycWebhookLogs), 'a'))
  const { rows } = await pool.query<DeliveryTry>(
    isEvent
      ? `SELECT ${select} FROM event_attempts a WHERE a.outbox_id = $1 ORDER BY a.id DESC LIMIT ${mostAttempts}`
      : `SELECT ${select} FROM kyc_webhook_logs a WHERE a.member_id = $1 AND a.attempt_number = $2
          ORDER BY a.created_at DESC, a.id DESC LIMIT ${mostAttempts}`,
    isEvent ? [id] : [entityId, attemptNumber],
  )
  return rows
}
