import { and, asc, eq, sql } from 'drizzle-orm'
import { alertOutputs, alertPauseMinutes, type AlertKind, type AlertOutput } from '#contract/alerts.ts'
import { noticeKinds, noticePermissions } from '#contract/notices.ts'
import type { AlertNotice } from '#server/adapters/alert-text.ts'
import { type Ctx, inTransaction, mayView } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { LeaseLostError, takeLease } from '#server/db/lease.ts'
import { alertChoices, alertRecipients } from '#server/db/tables/alerts.ts'
import { admins } from '#server/db/tables/auth.ts'
import { isActive } from '#server/features/auth/service.ts'
import { dropOldAlerts } from '#server/features/messages/service.ts'
import { countNotice } from '#server/features/notices/service.ts'
import { digestClockAt, readNow } from './digest-clock.ts'
import { queueAlert, type RecipientRow } from './recipients.ts'

type ChoiceRow = typeof alertChoices.$inferSelect
/** The counts of what an operator has chosen. A notice that the operator's role may not see is absent. */
type Counts = ReadonlyMap<AlertKind, number>

/**
 * Turns notices into alerts, each in one transaction with the mark of what was told, so that none is written twice or
 * lost. One server at a time does it.
 */
export async function writeAlerts(ctx: Ctx, stop: AbortSignal): Promise<void> {
  if ((await ctx.database.db.$count(alertRecipients)) === 0) return
  const lease = await takeLease(ctx.database, 'alerts', ctx.config.leaseSeconds)
  if (!lease) return
  try {
    const held = { ...ctx, database: lease.guard(ctx.database) }
    await dropOldAlerts(held)
    await writeAll(held, AbortSignal.any([stop, lease.signal]))
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
  } finally {
    await lease.release()
  }
}

async function writeAll(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { db } = ctx.database
  const operators = await db
    .select({ id: admins.id, name: admins.username, role: admins.role })
    .from(admins)
    .innerJoin(alertRecipients, eq(alertRecipients.adminId, admins.id))
    .where(
      and(isActive(ctx.config), sql`EXISTS (SELECT FROM ${alertChoices} WHERE ${alertChoices.adminId} = ${admins.id})`),
    )
    .orderBy(asc(admins.id))
  const count = createCounter(ctx)
  for (const { id, name, role } of operators) {
    if (stop.aborted) return
    const acting: Ctx = { ...ctx, actor: { kind: 'admin', id, name, role, sessionId: '' } }
    const chosen = await db
      .selectDistinct({ kind: alertChoices.kind })
      .from(alertChoices)
      .where(eq(alertChoices.adminId, id))
    const visible = chosen.filter(({ kind }) => mayView(acting, noticePermissions[kind]))
    const counts = new Map<AlertKind, number>()
    for (const { kind } of visible) counts.set(kind, await count(acting, kind))
    await inTransaction(ctx, (tx) => writeFor(tx, ctx, id, counts))
  }
}

/** Counts each notice once a turn, but for those that count what the operator may decide or has requested. */
function createCounter(ctx: Ctx) {
  const known = new Map<AlertKind, Promise<number>>()
  return (acting: Ctx, kind: AlertKind): Promise<number> => {
    if (noticePermissions[kind] === null) return countNotice(acting, kind)
    const found = known.get(kind) ?? countNotice(ctx, kind)
    known.set(kind, found)
    return found
  }
}

/** Writes what one operator is to be told now. Whose choices are being changed is left to the next turn. */
async function writeFor(tx: Tx, ctx: Ctx, adminId: string, counts: Counts): Promise<void> {
  const [recipient] = await tx
    .select()
    .from(alertRecipients)
    .where(eq(alertRecipients.adminId, adminId))
    .for('update', { skipLocked: true })
  if (!recipient) return
  const choices = await tx.select().from(alertChoices).where(eq(alertChoices.adminId, adminId))
  const now = await readNow(tx)
  const isOpen: Record<AlertOutput, boolean> = { email: recipient.email !== null, chat: recipient.chatUrl !== null }
  for (const output of alertOutputs) {
    if (!isOpen[output]) continue
    const grown = await noteCounts(
      tx,
      choices.filter((each) => each.output === output),
      counts,
      now,
    )
    if (grown.length > 0) await queueAlert(tx, ctx, { adminId, output }, 'alert.notices', { notices: grown })
  }
  await writeDigests(
    tx,
    ctx,
    recipient,
    choices.filter(({ output }) => isOpen[output]),
    counts,
    now,
  )
}

const inOrder = (notices: readonly AlertNotice[]) =>
  notices.toSorted((one, other) => noticeKinds.indexOf(one.kind) - noticeKinds.indexOf(other.kind))

/** Whether a count has grown since it was told, and long enough ago. */
function isDue({ toldCount, toldAt }: ChoiceRow, count: number, now: string): boolean {
  if (toldCount === null || count <= toldCount) return false
  return toldAt === null || Date.parse(now) - Date.parse(toldAt) >= alertPauseMinutes * 60_000
}

/** Marks what is told at once and what has become less. Answers what is to be told. */
async function noteCounts(tx: Tx, choices: readonly ChoiceRow[], counts: Counts, now: string): Promise<AlertNotice[]> {
  const told: AlertNotice[] = []
  for (const choice of choices.filter(({ timing }) => timing === 'at_once')) {
    const { adminId, output, kind, toldCount } = choice
    // A role that sees the notice again begins with what is there then.
    const count = counts.get(kind) ?? null
    const isTold = count !== null && isDue(choice, count, now)
    if (isTold) told.push({ kind, count })
    else if (count !== null && toldCount !== null && count >= toldCount) continue
    else if (count === toldCount) continue
    await tx
      .update(alertChoices)
      .set({ toldCount: count, ...(isTold && { toldAt: now }) })
      .where(and(eq(alertChoices.adminId, adminId), eq(alertChoices.output, output), eq(alertChoices.kind, kind)))
  }
  return inOrder(told)
}

/** Writes the digests of today once their hour has come; after a standstill one, not many. Where nothing waits there is none. */
async function writeDigests(
  tx: Tx,
  ctx: Ctx,
  { adminId, timeZone, digestHour, digestOn }: RecipientRow,
  choices: readonly ChoiceRow[],
  counts: Counts,
  now: string,
): Promise<void> {
  if (timeZone === null) return
  const { today, isPastHour } = digestClockAt(now, { timeZone, digestHour })
  if (!isPastHour || (digestOn !== null && digestOn >= today)) return
  await tx.update(alertRecipients).set({ digestOn: today }).where(eq(alertRecipients.adminId, adminId))
  for (const output of alertOutputs) {
    const notices = choices
      .filter((each) => each.output === output && each.timing === 'digest')
      .map(({ kind }) => ({ kind, count: counts.get(kind) ?? 0 }))
      .filter(({ count }) => count > 0)
    if (notices.length > 0)
      await queueAlert(tx, ctx, { adminId, output }, 'alert.digest', { notices: inOrder(notices) })
  }
}
