import { eq, sql } from 'drizzle-orm'
import { alertCodeMinutes, alertKinds, defaultDigestHour, type AlertOutput } from '#contract/alerts.ts'
import { noticePermissions } from '#contract/notices.ts'
import type { Alerts } from '#contract/schemas/alerts.ts'
import { adminOf, type Ctx, mayView } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'
import { alertChoices, alertRecipients } from '#server/db/tables/alerts.ts'

type OutputState = Pick<Alerts['chat'], 'lastSentAt' | 'failingSince' | 'problem'>

/** How sending went is what the messages themselves say. A success ends what failed before it. */
async function readState(db: Db | Tx, adminId: string, output: AlertOutput): Promise<OutputState> {
  const { rows } = await db.execute<OutputState & Record<string, unknown>>(sql`
    WITH sent AS (
      SELECT * FROM messages WHERE entity_type = 'admin' AND entity_id = ${adminId} AND channel = ${output}
    ), last AS (
      SELECT max(delivered_at) AS at FROM sent
    ), failed AS (
      SELECT a.* FROM sent JOIN message_attempts AS a ON a.message_id = sent.id
      WHERE NOT a.success AND sent.state <> 'dropped' AND a.created_at > coalesce((SELECT at FROM last), '-infinity')
    )
    SELECT ${sql.raw(instant('(SELECT at FROM last)'))} AS "lastSentAt",
      ${sql.raw(instant('(SELECT min(created_at) FROM failed)'))} AS "failingSince",
      (SELECT error_message FROM failed ORDER BY id DESC LIMIT 1) AS problem`)
  return rows[0]!
}

const addMinutes = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** Where the signed-in admin gets alerts, how sending went, and what was chosen; in a transaction as that leaves it. */
export async function readAlerts(ctx: Ctx, db: Db | Tx = ctx.database.db): Promise<Alerts> {
  const { id } = adminOf(ctx)
  const [recipient] = await db.select().from(alertRecipients).where(eq(alertRecipients.adminId, id))
  const chosen = await db.select().from(alertChoices).where(eq(alertChoices.adminId, id))
  const email = await readState(db, id, 'email')
  const chat = await readState(db, id, 'chat')
  const timingOf = (kind: string, output: AlertOutput) =>
    chosen.find((each) => each.kind === kind && each.output === output)?.timing ?? 'off'
  const { waitingEmail = null, codeSentAt = null, chatUrl = null } = recipient ?? {}
  return {
    email: {
      ...email,
      isSet: ctx.config.mail !== undefined,
      address: recipient?.email ?? null,
      waitingAddress: waitingEmail,
      codeExpiresAt: codeSentAt && addMinutes(codeSentAt, alertCodeMinutes),
    },
    chat: { ...chat, host: chatUrl && new URL(chatUrl).host },
    choices: alertKinds
      .filter((kind) => mayView(ctx, noticePermissions[kind]))
      .map((kind) => ({ kind, email: timingOf(kind, 'email'), chat: timingOf(kind, 'chat') })),
    digestHour: recipient?.digestHour ?? defaultDigestHour,
    timeZone: recipient?.timeZone ?? null,
    version: recipient?.version ?? 1,
  }
}
