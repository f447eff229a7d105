import type { DeliveriesQuery, Delivery, shownStates } from '#contract/deliveries.ts'
import type { Ctx } from '#server/context.ts'
import { type ListAsked, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
import { instant, selected } from '#server/db/select.ts'

// What is asked of the row's own table stands behind its kind: the view is three tables, and only one of them has it.
const isSendingNow = `CASE WHEN t.state <> 'sending' THEN false
  WHEN t.kind = 'event' THEN (SELECT o.lease_until > now() FROM outbox o WHERE o.id = t.source_id)
  ELSE (SELECT d.lease_until > now() FROM kyc_deliveries d WHERE d.id = t.source_id) END`
/** Decided or superseded: the provider has nothing more to say of it. */
const isClosedCase = `t.kind = 'case' AND NOT EXISTS (SELECT FROM kyc_submissions s WHERE s.member_id = t.entity_id
  AND s.attempt_number = t.attempt_number AND s.result = 'under_review')`
const isBlocked = `t.kind = 'event' AND t.state = 'waiting' AND EXISTS (SELECT FROM outbox o
  WHERE o.entity_type = t.entity_type AND o.entity_id = t.entity_id AND o.state IN ('waiting', 'sending') AND o.id < t.source_id)`

const answer = 'http_status, latency_ms, error_message AS note, created_at'
const lastTry = `LEFT JOIN LATERAL (
    SELECT * FROM (SELECT ${answer}, (SELECT count(*) FROM event_attempts e WHERE e.outbox_id = t.source_id)::int AS tries
      FROM event_attempts WHERE t.kind = 'event' AND outbox_id = t.source_id ORDER BY id DESC LIMIT 1) a
    UNION ALL
    SELECT * FROM (SELECT ${answer}, (SELECT count(*) FROM kyc_webhook_logs e
        WHERE e.member_id = t.entity_id AND e.attempt_number = t.attempt_number)::int
      FROM kyc_webhook_logs l WHERE t.kind = 'case' AND l.member_id = t.entity_id AND l.attempt_number = t.attempt_number
      ORDER BY l.created_at DESC, l.id DESC LIMIT 1) b
    UNION ALL
    SELECT http_status, latency_ms, note, created_at, 1 FROM kyc_receipts WHERE t.kind = 'result' AND id = t.source_id
  ) last ON true`

const isMessageId = String.raw`$1::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`
const asMessageId = `CASE WHEN ${isMessageId} THEN $1::text::uuid END`

/** Found by each table's own indexes: the view's conditions fold to the table that a row comes from. */
const matches = `t.kind = 'event' AND t.source_id = ANY (ARRAY(
      SELECT id FROM outbox WHERE entity_type IN ('member', 'order') AND entity_id = $1::text
      UNION ALL SELECT id FROM outbox WHERE entity_type = 'token' AND entity_id = lower($1::text)
      UNION ALL SELECT id FROM outbox WHERE event_id = ${asMessageId}))
  OR t.kind = 'case' AND t.source_id = ANY (ARRAY(
      SELECT id FROM kyc_deliveries WHERE member_id = $1::text
      UNION ALL SELECT id FROM kyc_deliveries WHERE ${isMessageId} AND webhook_id = ${asMessageId}))
  OR t.kind = 'result' AND t.source_id = ANY (ARRAY(
      SELECT id FROM kyc_receipts WHERE member_id = $1::text
      UNION ALL SELECT id FROM kyc_receipts WHERE webhook_id = $1::text))`

export const deliveryList: ListDesign = {
  name: 'deliveries',
  table: 'deliveries',
  at: 'created_at',
  select: {
    id: 't.id::text',
    kind: 't.kind',
    direction: 't.direction',
    type: 't.type',
    entityType: 't.entity_type',
    entityId: 't.entity_id',
    attemptNumber: 't.attempt_number',
    messageId: 't.message_id',
    state: 't.state',
    signature: 't.signature',
    tries: 'coalesce(last.tries, 0)',
    lastStatus: 'last.http_status',
    lastLatencyMs: 'last.latency_ms',
    lastNote: 'last.note',
    lastTriedAt: instant('last.created_at'),
    nextTryAt: `CASE WHEN t.state = 'waiting' THEN ${instant('t.next_try_at')} END`,
    isBlocked,
    canResend: `t.kind <> 'result' AND NOT (${isSendingNow}) AND NOT (${isClosedCase})`,
    createdAt: instant('t.created_at'),
  },
  join: lastTry,
  matches,
}

const ofState = (state: (typeof shownStates)[number]): ListFilter => {
  const isOutgoing = state === 'waiting' || state === 'delivered' || state === 'failed'
  return {
    rows: `t.kind ${isOutgoing ? '<>' : '='} 'result' AND t.state IN ('${state}'${state === 'waiting' ? ", 'sending'" : ''})`,
    leaves: `leaf LIKE '%/${state}'`,
  }
}

export const askDeliveries = ({
  kind,
  state,
  search,
}: Partial<Pick<DeliveriesQuery, 'kind' | 'state' | 'search'>>): ListAsked => ({
  list: deliveryList,
  filters: [
    ...(kind ? [{ rows: `t.kind = '${kind}'`, leaves: `leaf LIKE '${kind}/%'` }] : []),
    ...(state ? [ofState(state)] : []),
  ],
  typed: search,
})

/**
 * One page of a search. The rows found are kept whole, since the view has no index on its id alone; they are few, so that
 * they are counted to the end at once.
 */
async function searchDeliveries(
  { database: { pool } }: Ctx,
  { list, filters }: ListAsked,
  typed: string,
  { page, limit }: DeliveriesQuery,
) {
  const conditions = [list.matches!, ...filters.map(({ rows }) => rows)].map((condition) => `(${condition})`)
  const newestFirst = 't.created_at DESC, t.id DESC'
  const text = `WITH hits AS MATERIALIZED (SELECT t.* FROM ${list.table} t WHERE ${conditions.join(' AND ')})
    SELECT (SELECT count(*)::int FROM hits) AS total, coalesce((SELECT json_agg(p) FROM (
      SELECT ${selected(list.select)} FROM hits t ${list.join} ORDER BY ${newestFirst} OFFSET $2::bigint LIMIT $3::bigint
    ) p), '[]') AS rows`
  const { rows } = await pool.query<{ total: number; rows: Delivery[] }>(text, [typed, (page - 1) * limit, limit])
  return { ...rows[0]!, totalExact: true, page, limit }
}

/** Every message, out and in, newest first; `total` counts all that the filters let through. */
export async function listDeliveries(ctx: Ctx, query: DeliveriesQuery) {
  const asked = askDeliveries(query)
  const typed = asked.typed?.trim()
  const { rows: deliveries, ...rest } = typed
    ? await searchDeliveries(ctx, asked, typed, query)
    : await readList<Delivery>(ctx.database.pool, asked, query)
  return { deliveries, ...rest }
}
