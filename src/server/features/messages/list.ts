import type { MessagesQuery, Message } from '#contract/schemas/messages.ts'
import type { Ctx } from '#server/core/context.ts'
import { type ListRequest, type ListDesign, dateOrders, readList } from '#server/db/list.ts'
import { filterDays } from '#server/db/list-rows.ts'
import { instant } from '#server/db/select.ts'
import { isClosed } from './channels.ts'
import { kinds, messageCounts } from './read-queue.ts'

const isSendingNow = `t.state = 'sending' AND t.lease_until > now()`
const isBlocked = `t.state = 'waiting' AND EXISTS (SELECT FROM messages AS o
  WHERE o.ordering_key = t.ordering_key AND o.state IN ('waiting', 'sending') AND o.id < t.id)`
/** Its endpoint has taken a later event of the same entity. */
const isSuperseded = `t.endpoint_id IS NOT NULL AND EXISTS (SELECT FROM messages AS o WHERE o.entity_id = t.entity_id
  AND o.entity_type = t.entity_type AND o.endpoint_id = t.endpoint_id AND o.id > t.id AND o.delivered_at IS NOT NULL)`

const isUuid = String.raw`$1::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`

const kind = `CASE ${Object.entries(kinds)
  .map(([name, condition]) => `WHEN ${condition} THEN '${name}'`)
  .join(' ')} END`

export const messageList: ListDesign = {
  ...messageCounts.list,
  select: {
    id: 't.id::text',
    kind,
    direction: 't.direction',
    type: 't.type',
    endpointId: 't.endpoint_id::text',
    endpoint: '(SELECT name FROM platform_endpoints AS p WHERE p.id = t.endpoint_id)',
    operator: `(SELECT username FROM admins AS o WHERE t.entity_type = 'admin' AND o.id::text = t.entity_id)`,
    entityType: 't.entity_type',
    entityId: 't.entity_id',
    attemptNumber: 't.attempt_number',
    messageId: 't.message_id',
    state: 't.state',
    signature: 't.signature',
    tries: `CASE t.direction WHEN 'in' THEN 1
      ELSE (SELECT count(*)::int FROM message_attempts AS c WHERE c.message_id = t.id) END`,
    lastStatus: 'coalesce(t.http_status, last.http_status)',
    lastLatencyMs: 'coalesce(t.latency_ms, last.latency_ms)',
    lastNote: 'coalesce(t.note, last.error_message)',
    lastTriedAt: instant(`CASE t.direction WHEN 'in' THEN t.created_at ELSE last.created_at END`),
    nextTryAt: `CASE WHEN t.state = 'waiting' THEN ${instant('t.next_try_at')} END`,
    isBlocked,
    isSuperseded,
    canResend: `t.direction = 'out' AND (${isSendingNow}) IS NOT TRUE AND NOT (${isClosed('t')})`,
    createdAt: instant('t.created_at'),
  },
  join: `LEFT JOIN LATERAL (SELECT * FROM message_attempts AS a WHERE a.message_id = t.id ORDER BY a.id DESC LIMIT 1) last ON true`,
  matches: `t.entity_id IN ($1::text, 'earning/' || lower($1::text), 'fractions/' || lower($1::text))`,
  keys: [
    `t.direction = 'out' AND t.message_id = CASE WHEN ${isUuid} THEN lower($1::text) END`,
    `t.direction = 'in' AND t.message_id = $1::text`,
  ],
}

export const buildMessageList = ({
  kind,
  state,
  endpoint,
  search,
  sort = 'newest',
  ...days
}: Partial<Omit<MessagesQuery, 'page' | 'limit' | 'total'>>): ListRequest => ({
  list: { ...messageList, order: dateOrders[sort] },
  // Only events have an endpoint, and its index is of events.
  filters: [messageCounts.filter({ kind: endpoint ? (kind ?? 'event') : kind, state, endpoint }), ...filterDays(days)],
  typed: search,
})

/** Every message, out and in, newest first; `total` counts all that the filters let through. */
export async function listMessages({ reads }: Ctx, query: MessagesQuery) {
  const { rows: messages, ...rest } = await readList<Message>(reads, buildMessageList(query), query)
  return { messages, ...rest }
}
