import { and, eq, sql } from 'drizzle-orm'
import { alertCodeMinutes, alertCodeTries, type AlertOutput } from '#contract/alerts.ts'
import { computeAlertCodes } from '#server/core/alert-code.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { requireOpenUrl } from '#server/core/require-open-url.ts'
import type { Alerts } from '#contract/schemas/alerts.ts'
import type { Tx } from '#server/db/client.ts'
import { alertChoices, alertRecipients } from '#server/db/tables/alerts.ts'
import { conflict, invalidField } from '#server/lib/errors.ts'
import { readAlerts } from './read.ts'
import { limitAlerts, lockOwnRecipient, queueAlert, type RecipientRow, saveOwnRecipient } from './recipients.ts'

/** Where a new address gets alerts, what was waiting before is not told: counts begin with what is there then. */
const forgetTold = (tx: Tx, adminId: string, output: AlertOutput) =>
  tx
    .update(alertChoices)
    .set({ toldCount: null, toldAt: null })
    .where(and(eq(alertChoices.adminId, adminId), eq(alertChoices.output, output)))

/**
 * Sends a code to an e-mail address. The confirmed address, if there is one, stays in use until the code was entered.
 * Throws alerts_unset where the console sends no e-mail, and too_many_requests.
 */
export const setEmail = (ctx: Ctx, address: string): Promise<Alerts> =>
  inTransaction(ctx, async (tx) => {
    if (!ctx.config.mail)
      throw conflict('alerts_unset', 'This console sends no e-mail: SMTP_URL and MAIL_FROM are not set')
    const before = await lockOwnRecipient(tx, ctx)
    const to = { adminId: before.adminId, output: 'email' } as const
    await limitAlerts(tx, to.adminId, to.output, 'alert.code')
    const change = { waitingEmail: address, codeSentAt: sql`now()` as unknown as string, codeFailures: 0 }
    await saveOwnRecipient(tx, ctx, before, change, { action: 'set_alert_address', details: { output: to.output } })
    await queueAlert(tx, ctx, to, 'alert.code')
    return readAlerts(ctx, tx)
  })

const wrongCode = () => invalidField('code', 'is not the code of the last e-mail, or too old: send another')

/** Confirms the address whose code was sent. Throws invalid for another code, an old one, and after some tries. */
export async function confirmEmail(ctx: Ctx, code: string): Promise<Alerts> {
  const confirmed = await inTransaction(ctx, async (tx) => {
    const before = await lockOwnRecipient(tx, ctx)
    // No code can be guessed.
    if (before.waitingEmail === null) throw wrongCode()
    if (!(await isCodeOf(tx, ctx, before, code))) {
      await countFailure(tx, before)
      return null
    }
    const change = { email: before.waitingEmail, waitingEmail: null, codeSentAt: null, codeFailures: 0 }
    await forgetTold(tx, before.adminId, 'email')
    await saveOwnRecipient(tx, ctx, before, change, { action: 'confirm_alert_address', details: { output: 'email' } })
    return readAlerts(ctx, tx)
  })
  // The failure is counted in a transaction that stands.
  if (confirmed === null) throw wrongCode()
  return confirmed
}

async function isCodeOf(tx: Tx, ctx: Ctx, recipient: RecipientRow, code: string): Promise<boolean> {
  const { adminId, waitingEmail: address, codeSentAt: sentAt, codeFailures } = recipient
  if (address === null || sentAt === null || codeFailures >= alertCodeTries) return false
  const { rows } = await tx.execute<{ isFresh: boolean }>(
    sql`SELECT now() < ${sentAt}::timestamptz + make_interval(mins => ${alertCodeMinutes}) AS "isFresh"`,
  )
  return rows[0]!.isFresh && computeAlertCodes(ctx, { adminId, address, sentAt }).includes(code)
}

const countFailure = (tx: Tx, { adminId, codeFailures }: RecipientRow) =>
  tx
    .update(alertRecipients)
    .set({ codeFailures: Math.min(codeFailures + 1, alertCodeTries) })
    .where(eq(alertRecipients.adminId, adminId))

/** Sets the address of a chat's incoming webhook. Throws invalid for one that nothing may be sent to. */
export async function setChat(ctx: Ctx, url: string): Promise<Alerts> {
  await requireOpenUrl(ctx, url, 'a secret')
  return inTransaction(ctx, async (tx) => {
    const before = await lockOwnRecipient(tx, ctx)
    await forgetTold(tx, before.adminId, 'chat')
    const details = { output: 'chat', host: new URL(url).host }
    await saveOwnRecipient(tx, ctx, before, { chatUrl: url }, { action: 'set_alert_address', details })
    return readAlerts(ctx, tx)
  })
}

/** Removes the address of an output, an e-mail address that waits for its code too. Without one nothing changes. */
export const removeAddress = (ctx: Ctx, output: AlertOutput): Promise<Alerts> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockOwnRecipient(tx, ctx)
    const change = output === 'email' ? { email: null, waitingEmail: null, codeSentAt: null } : { chatUrl: null }
    if (Object.keys(change).every((name) => before[name as keyof RecipientRow] === null)) return readAlerts(ctx, tx)
    await saveOwnRecipient(tx, ctx, before, change, { action: 'remove_alert_address', details: { output } })
    return readAlerts(ctx, tx)
  })

/** Sends a test to an output. Throws alerts_unset without an address, and too_many_requests. */
export const sendTest = (ctx: Ctx, output: AlertOutput): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockOwnRecipient(tx, ctx)
    if (output === 'email' && !ctx.config.mail)
      throw conflict('alerts_unset', 'This console sends no e-mail: SMTP_URL and MAIL_FROM are not set')
    if ((output === 'email' ? before.email : before.chatUrl) === null)
      throw conflict('alerts_unset', 'There is no address to send to yet')
    await limitAlerts(tx, before.adminId, output, 'alert.test')
    await queueAlert(tx, ctx, { adminId: before.adminId, output }, 'alert.test')
    await saveOwnRecipient(tx, ctx, before, {}, { action: 'test_alerts', details: { output } })
  })
