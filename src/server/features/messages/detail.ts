import { RowId } from '#contract/schemas/common.ts'
import type { Message, MessageDetail, MessageTry } from '#contract/schemas/messages.ts'
import type { Ctx } from '#server/core/context.ts'
import { expressions, selectColumns } from '#server/db/select.ts'
import { type ChannelName, messageAttempts } from '#server/db/tables/messages.ts'
import { notFound } from '#server/lib/errors.ts'
import type { MessageContent } from './channel.ts'
import { channels } from './channels.ts'
import { messageList } from './list.ts'

const maxAttemptsShown = 50

const { id, tryNumber, success, errorMessage, httpStatus, latencyMs, responseExcerpt, startedBy, createdAt } =
  messageAttempts
const columns = { id, tryNumber, success, errorMessage, httpStatus, latencyMs, responseExcerpt, startedBy, createdAt }

type MessageRow = Message & Pick<MessageContent, 'sequence' | 'version' | 'payload'>
type Row = MessageRow & { channel: ChannelName; bodyExcerpt: string | null }
const select = { ...messageList.select, channel: 't.channel', bodyExcerpt: 't.body_excerpt' }
const content = { sequence: 'v.sequence', version: 'v.version', payload: 'coalesce(v.payload, t.payload)' }

/** A message with its body and its tries, newest first. Throws not_found for an id of any other form too. */
export async function readMessage(ctx: Ctx, messageId: string): Promise<MessageDetail> {
  if (!RowId.safeParse(messageId).success) throw notFound('Delivery')
  const { pool } = ctx.database
  const [messages, tries] = await Promise.all([
    pool.query<Row>({
      name: 'message',
      text: `SELECT ${selectColumns({ ...select, ...content })} FROM messages t LEFT JOIN platform_events v ON v.id = t.event_row
        ${messageList.join} WHERE t.id = $1`,
      values: [messageId],
    }),
    pool.query<MessageTry>({
      name: 'message_tries',
      text: `SELECT ${selectColumns(expressions(columns, 'a'))} FROM message_attempts a
        WHERE a.message_id = $1 ORDER BY a.id DESC LIMIT ${maxAttemptsShown}`,
      values: [messageId],
    }),
  ])
  const [message] = messages.rows
  if (!message) throw notFound('Delivery')
  return { ...message, body: await readBody(ctx, message), attempts: tries.rows }
}

/** What is or was sent; of what came in an excerpt. */
async function readBody(
  ctx: Ctx,
  { channel, direction, entityId, bodyExcerpt, ...message }: Row,
): Promise<string | null> {
  const sender = channels.find(({ name }) => name === channel)!
  return direction === 'in' ? bodyExcerpt : sender.showBody(ctx, { ...message, entityId: entityId! })
}
