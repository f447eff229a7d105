import { and, eq } from 'drizzle-orm'
import { alertOutputs } from '#contract/alerts.ts'
import { noticePermissions } from '#contract/notices.ts'
import type { AlertChoices, Alerts } from '#contract/schemas/alerts.ts'
import { type Ctx, inTransaction, mayView } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { alertChoices } from '#server/db/tables/alerts.ts'
import { AppError } from '#server/lib/errors.ts'
import { readDigestClock } from './digest-clock.ts'
import { readAlerts } from './read.ts'
import { lockOwnRecipient, type RecipientRow, saveOwnRecipient } from './recipients.ts'

/**
 * Saves which notices go out by which output, and when the digest comes. A kind whose timing stays is not told again.
 * Throws forbidden for a notice that the admin's role may not see, and stale.
 */
export const chooseAlerts = (ctx: Ctx, chosen: AlertChoices, ifMatch: number | undefined): Promise<Alerts> =>
  inTransaction(ctx, async (tx) => {
    const { choices, digestHour, timeZone } = chosen
    if (choices.some(({ kind }) => !mayView(ctx, noticePermissions[kind])))
      throw new AppError('forbidden', 'Your role does not see one of these notices')
    const before = await lockOwnRecipient(tx, ctx, ifMatch)
    const hadDigest = await hasDigest(tx, before)
    for (const choice of choices)
      for (const output of alertOutputs) {
        const key = { adminId: before.adminId, output, kind: choice.kind }
        await saveTiming(tx, key, choice[output])
      }
    const digestOn = await nextDigestOn(tx, before, { digestHour, timeZone }, hadDigest)
    await saveOwnRecipient(
      tx,
      ctx,
      before,
      { digestHour, timeZone, digestOn },
      { action: 'choose_alerts', details: { choices, digestHour, timeZone } },
    )
    return readAlerts(ctx, tx)
  })

type ChoiceKey = Pick<typeof alertChoices.$inferSelect, 'adminId' | 'output' | 'kind'>

async function saveTiming(tx: Tx, key: ChoiceKey, timing: 'off' | 'at_once' | 'digest'): Promise<void> {
  const { adminId, output, kind } = key
  const isMeant = and(eq(alertChoices.adminId, adminId), eq(alertChoices.output, output), eq(alertChoices.kind, kind))
  const [present] = await tx.select({ timing: alertChoices.timing }).from(alertChoices).where(isMeant)
  if ((present?.timing ?? 'off') === timing) return
  if (timing === 'off') await tx.delete(alertChoices).where(isMeant)
  else
    await tx
      .insert(alertChoices)
      .values({ ...key, timing })
      .onConflictDoUpdate({
        target: [alertChoices.adminId, alertChoices.output, alertChoices.kind],
        set: { timing, toldCount: null, toldAt: null },
      })
}

const hasDigest = async (tx: Tx, { adminId }: RecipientRow) =>
  (await tx.$count(alertChoices, and(eq(alertChoices.adminId, adminId), eq(alertChoices.timing, 'digest')))) > 0

/** Where the hour has passed today by the new clock, the first digest comes tomorrow: it is one of a morning. */
async function nextDigestOn(
  tx: Tx,
  before: RecipientRow,
  clock: { digestHour: number; timeZone: string },
  hadDigest: boolean,
): Promise<string | null> {
  const isSame = before.digestHour === clock.digestHour && before.timeZone === clock.timeZone
  if (isSame && hadDigest && before.digestOn !== null) return before.digestOn
  const { today, yesterday, isPastHour } = await readDigestClock(tx, clock)
  return isPastHour ? today : yesterday
}
