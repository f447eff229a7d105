import type { Services } from '#server/core/context.ts'
import { type ChannelName, channelNames, messages } from '#server/db/tables/messages.ts'
import { type MessageKind, shownStates } from '#contract/messages.ts'
import { declareCounts } from '#server/db/counts.ts'

type ShownState = (typeof shownStates)[number]

export const kinds: Record<MessageKind, string> = {
  event: "t.channel = 'platform'",
  case: "t.channel = 'kyc' AND t.direction = 'out'",
  result: "t.channel = 'kyc' AND t.direction = 'in'",
  alert: "t.channel IN ('email', 'chat')",
}

/** What is being sent still waits. */
const stateCondition = (state: ShownState) =>
  state === 'waiting' ? "t.state IN ('waiting', 'sending')" : `t.state = '${state}'`
const states = Object.fromEntries(shownStates.map((state) => [state, stateCondition(state)])) as Record<
  ShownState,
  string
>

export const messageCounts = declareCounts({
  name: 'messages',
  table: messages,
  at: messages.createdAt,
  by: { kind: kinds, state: states, endpoint: messages.endpointId },
})

/** Messages of a channel that are to go out. */
export interface QueueState {
  channel: ChannelName
  /** Not delivered and not given up. */
  open: number
  /** Given up, and kept for an operator to send again. */
  failed: number
  /** Seconds since the oldest open one was written. 0 if there is none. */
  oldestOpenSeconds: number
}

const kindOf = { platform: 'event', kyc: 'case' } as const

/** Alerts are one kind of two channels, and few: they end within a day, and are counted themselves. */
const countOf = (channel: ChannelName, state: 'waiting' | 'failed') =>
  channel === 'email' || channel === 'chat'
    ? `(SELECT count(*)::int FROM messages WHERE channel = '${channel}'
        AND state IN (${state === 'waiting' ? "'waiting', 'sending'" : "'failed'"}))`
    : `coalesce(sum(rows) FILTER (WHERE ${messageCounts.leaves({ kind: kindOf[channel], state })}), 0)::int`

const oldestOf = (channel: ChannelName) => `
  (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM (${['waiting', 'sending']
    .map(
      (state) => `(SELECT created_at FROM messages
        WHERE channel = '${channel}' AND direction = 'out' AND state = '${state}' ORDER BY created_at LIMIT 1)`,
    )
    .join(' UNION ALL ')}) AS first)`

const queueSql = channelNames
  .map(
    (channel) => `
      SELECT '${channel}' AS channel, ${countOf(channel, 'waiting')} AS open, ${countOf(channel, 'failed')} AS failed,
        ${oldestOf(channel)} AS "oldestOpenSeconds"
      FROM ${messageCounts.all} AS counted`,
  )
  .join(' UNION ALL ')

/** What waits to go out, by channel. */
export async function readQueue({ database }: Pick<Services, 'database'>): Promise<QueueState[]> {
  const { rows } = await database.pool.query<QueueState>({ name: 'message_queue', text: queueSql })
  return rows
}
