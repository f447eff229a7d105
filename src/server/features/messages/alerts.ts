import { sql } from 'drizzle-orm'
import { alertCodeMinutes, alertHours, type AlertOutput } from '#contract/alerts.ts'
import { noticePermissions } from '#contract/notices.ts'
import { can, type Role } from '#contract/permissions.ts'
import { type AlertNotice, type AlertType, buildChatText, buildMail } from '#server/adapters/alert-text.ts'
import { buildChatBody, postToChat } from '#server/adapters/chat-webhook.ts'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { sendMail } from '#server/adapters/smtp.ts'
import { computeAlertCodes } from '#server/core/alert-code.ts'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { isSigned } from '#server/core/message-mac.ts'
import { toInstant } from '#server/db/columns.ts'
import { minute } from '#server/lib/pauses.ts'
import type { Channel, LeasedMessage, MessageContent } from './channel.ts'
import { messageCounts } from './read-queue.ts'
import { forgedOutcome } from './sign-stored.ts'
import { closeMessages } from './queue.ts'

/** Seconds before each automatic retry. Afterwards the bell says so, and a super admin can send it again. */
const alertPauses = [30, 2 * minute, 10 * minute, 30 * minute] as const

/** Tests and codes are waited for at the screen. */
const isTransient = (message: string) => `${message}.type IN ('alert.test', 'alert.code')`

/** SQL over a message: whether it says nothing of use any more, or its operator gets none at this output. */
const isOver = (message: string, address: string) => `(
  ${message}.created_at < now() - CASE WHEN ${isTransient(message)} THEN interval '${alertCodeMinutes} minutes'
    ELSE interval '${alertHours} hours' END
  OR NOT EXISTS (SELECT FROM alert_recipients AS r JOIN admins AS o ON o.id = r.admin_id
    WHERE r.admin_id::text = ${message}.entity_id AND o.disabled_at IS NULL AND ${address}))`

const addresses: Record<AlertOutput, (message: string) => string> = {
  email: (
    message,
  ) => `CASE ${message}.type WHEN 'alert.code' THEN r.waiting_email IS NOT NULL AND r.code_sent_at <= ${message}.created_at
    ELSE r.email IS NOT NULL END`,
  chat: () => 'r.chat_url IS NOT NULL',
}

/** Who gets a message, as of now. */
interface Recipient {
  role: Role
  email: string | null
  waitingEmail: string | null
  codeSentAt: string | null
  chatUrl: string | null
  isOver: boolean
}

const overOutcome: TryOutcome = {
  success: false,
  errorMessage: 'Not sent: nobody waits for it any more',
  httpStatus: null,
  latencyMs: null,
  responseExcerpt: null,
}

const readNotices = ({ payload }: Pick<MessageContent, 'payload'>) => (payload?.['notices'] ?? []) as AlertNotice[]

type SendAlert = (ctx: Ctx, to: Recipient, message: LeasedMessage, signal: AbortSignal) => Promise<TryOutcome>

const toAlert = ({ config }: Ctx, message: MessageContent, notices = readNotices(message)) => ({
  type: message.type as AlertType,
  notices,
  origin: config.publicUrl.origin,
})

/** What of an alert the operator's role may see now, which may be less than when it was written. */
function filterNotices({ roles }: Ctx, { role }: Recipient, message: MessageContent): AlertNotice[] {
  return readNotices(message).filter(({ kind }) => {
    const permission = noticePermissions[kind]
    return permission === null || can({ role }, permission, roles)
  })
}

function createAlertChannel(
  name: AlertOutput,
  isSet: (ctx: Ctx) => boolean,
  sendAlert: SendAlert,
  show: Channel['showBody'],
) {
  const isClosed = (message: string) => isOver(message, addresses[name](message))
  async function readRecipient({ database: { pool } }: Ctx, { id }: LeasedMessage): Promise<Recipient | undefined> {
    const { rows } = await pool.query<Recipient>({
      name: `${name}_recipient`,
      text: `SELECT a.role, p.email, p.waiting_email AS "waitingEmail", p.code_sent_at AS "codeSentAt", p.chat_url AS "chatUrl",
          ${isClosed('m')} AS "isOver"
        FROM messages AS m JOIN admins AS a ON a.id::text = m.entity_id JOIN alert_recipients AS p ON p.admin_id = a.id
        WHERE m.id = $1`,
      values: [id],
    })
    return rows[0]
  }
  const channel: Channel = {
    name,
    everySeconds: 2,
    atOnce: 4,
    pauses: alertPauses,
    longestPause: 30 * minute,
    pausesWhenGone: false,
    renewsId: true,
    isClosed,
    closedState: 'dropped',
    lists: ['messages', 'kycWebhooks', 'alerts'],
    connect: async (ctx) =>
      isSet(ctx)
        ? [
            {
              endpointId: null,
              async send(message, signal) {
                if (!isSigned(ctx, message)) return forgedOutcome
                const to = await readRecipient(ctx, message)
                return !to || to.isOver ? overOutcome : sendAlert(ctx, to, message, signal)
              },
            },
          ]
        : [],
    showBody: show,
  }
  return channel
}

/** Alerts by e-mail (product 3.10). */
export const alertMails = createAlertChannel(
  'email',
  ({ config }) => config.mail !== undefined,
  async (ctx, to, message, signal) => {
    const { type, entityId: adminId, messageId, createdAt: date } = message
    const notices = filterNotices(ctx, to, message)
    const address = type === 'alert.code' ? to.waitingEmail : to.email
    const code =
      type === 'alert.code' && address && to.codeSentAt
        ? computeAlertCodes(ctx, { adminId, address, sentAt: toInstant(to.codeSentAt) })[0]
        : undefined
    const isEmpty = notices.length === 0 && readNotices(message).length > 0
    if (isEmpty || !address || !ctx.config.mail) return overOutcome
    const mail = buildMail({ ...toAlert(ctx, message, notices), ...(code !== undefined && { code }) })
    const host = ctx.config.publicUrl.hostname
    return sendMail(ctx.config.mail, { ...mail, to: address, date, messageId: `<${messageId}@${host}>` }, signal)
  },
  async (ctx, message) => {
    const { subject, text } = buildMail({ ...toAlert(ctx, message), code: '[redacted]' })
    return JSON.stringify({ subject, text })
  },
)

/** Alerts to a chat (product 3.10). */
export const alertPosts = createAlertChannel(
  'chat',
  () => true,
  async (ctx, to, message, signal) => {
    const notices = filterNotices(ctx, to, message)
    if ((notices.length === 0 && readNotices(message).length > 0) || !to.chatUrl) return overOutcome
    const text = buildChatText(toAlert(ctx, message, notices))
    return postToChat({ url: to.chatUrl, text, allowsPrivate: ctx.config.webhookAllowPrivate, signal })
  },
  async (ctx, message) => buildChatBody(buildChatText(toAlert(ctx, message))),
)

/** Drops alerts that were not delivered and that nobody waits for any more. */
export const dropOldAlerts = (ctx: Ctx): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const dropped = (await closeMessages(tx, alertMails, sql`true`)) + (await closeMessages(tx, alertPosts, sql`true`))
    if (dropped > 0) await announce(tx, ...alertMails.lists)
  })

/** The number of alerts that were given up in the last day. */
export async function countFailedAlerts({ database }: Ctx): Promise<number> {
  const { rows } = await database.db.execute<{ failed: number }>(sql`
    SELECT coalesce(sum(rows), 0)::int AS failed FROM ${sql.raw(messageCounts.all)} AS counted
    WHERE ${sql.raw(messageCounts.leaves({ kind: 'alert', state: 'failed' }))}`)
  return rows[0]!.failed
}
