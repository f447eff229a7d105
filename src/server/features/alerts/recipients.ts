import { and, count, eq, gt, sql } from 'drizzle-orm'
import { alertRepeatSeconds, mostAlertCodes, type AlertOutput } from '#contract/alerts.ts'
import type { AlertType } from '#server/adapters/alert-text.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx } from '#server/core/context.ts'
import { enqueueMessages } from '#server/core/enqueue.ts'
import type { Tx } from '#server/db/client.ts'
import { alertRecipients } from '#server/db/tables/alerts.ts'
import { messages } from '#server/db/tables/messages.ts'
import { AppError, requireVersion } from '#server/lib/errors.ts'

export type RecipientRow = typeof alertRecipients.$inferSelect

/** Where the signed-in admin gets alerts, locked in the transaction. Throws stale when `ifMatch` is not its version. */
export async function lockOwnRecipient(tx: Tx, ctx: Ctx, ifMatch?: number): Promise<RecipientRow> {
  const { id: adminId } = adminOf(ctx)
  await tx.insert(alertRecipients).values({ adminId }).onConflictDoNothing()
  const [recipient] = await tx.select().from(alertRecipients).where(eq(alertRecipients.adminId, adminId)).for('update')
  const { version } = recipient!
  const message = 'Your alerts were changed meanwhile. Look again and decide.'
  requireVersion(ifMatch, version, () => new AppError('stale', message, { details: { version } }))
  return recipient!
}

/** Changes where the signed-in admin gets alerts, with the audit row, which names no address. */
export async function saveOwnRecipient(
  tx: Tx,
  ctx: Ctx,
  before: RecipientRow,
  change: Partial<RecipientRow>,
  entry: { action: Parameters<typeof audit>[2]['action']; details: Record<string, unknown> },
): Promise<void> {
  const { adminId, version } = before
  await tx
    .update(alertRecipients)
    .set({ ...change, version: version + 1 })
    .where(eq(alertRecipients.adminId, adminId))
  await audit(tx, ctx, { ...entry, target: { type: 'admin', id: adminId } })
  await announce(tx, 'alerts')
}

/** Hands a message to its operator to the queue, in the transaction that brings it about. */
export const queueAlert = (
  tx: Tx,
  ctx: Pick<Ctx, 'config'>,
  to: { adminId: string; output: AlertOutput },
  type: AlertType,
  payload: Record<string, unknown> = {},
): Promise<void> =>
  enqueueMessages(tx, ctx, [{ channel: to.output, type, entityType: 'admin', entityId: to.adminId, payload }])

/**
 * Throws too_many_requests where this operator was sent such a message within a minute, or more than ten codes in a
 * day, so that nobody fills a stranger's mailbox from here. Call this while the recipient is locked.
 */
export async function limitAlerts(tx: Tx, adminId: string, output: AlertOutput, type: AlertType): Promise<void> {
  const sent = (seconds: number) =>
    tx
      .select({ count: count() })
      .from(messages)
      .where(
        and(
          eq(messages.entityId, adminId),
          eq(messages.entityType, 'admin'),
          eq(messages.channel, output),
          eq(messages.type, type),
          gt(messages.createdAt, sql`now() - make_interval(secs => ${seconds})`),
        ),
      )
      .then(([found]) => found!.count)
  if ((await sent(alertRepeatSeconds)) > 0)
    throw new AppError('too_many_requests', 'One was sent a moment ago. Try again in a minute.', {
      retryAfter: alertRepeatSeconds,
    })
  if (type === 'alert.code' && (await sent(86_400)) >= mostAlertCodes)
    throw new AppError('too_many_requests', `${mostAlertCodes} codes were sent in 24 hours. Try again tomorrow.`, {
      retryAfter: 3600,
    })
}
