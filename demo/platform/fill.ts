import { Readable } from 'node:stream'
import { and, eq, inArray, ne, not, type SQL } from 'drizzle-orm'
import type { ImportLine } from '#contract/schemas/platform.ts'
import { contextFor, inTransaction, type Ctx, type Services } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { kycSubmissions } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/members.ts'
import { AppError } from '#server/lib/errors.ts'
import { decideMemberKyc } from '#server/features/kyc/service.ts'
import { banMember } from '#server/features/members/service.ts'
import { canRunLocalChain, markLocalChain, readLocalChainStart } from '#demo/chain/local-chain.ts'
import { importStream } from '#server/platform/import.ts'
import { markDemoData } from '#server/core/stored-settings.ts'
import { makeDecisions, type DemoDecisions } from './bans.ts'
import { fillBank } from './bank/fill-bank.ts'
import { makeBank } from './bank/statements.ts'
import { buildSteps, storeSpecimens, type DocumentKeys } from './documents.ts'
import { makePlatform, type DemoAttempt } from './history.ts'
import { withFillLock } from './lock.ts'
import { makeOrders } from './orders.ts'
import { makeResults, takeResults, removeDecided } from './results.ts'
import { makeSecurityEvents } from './security.ts'
import { makeTokens } from './tokens.ts'
import { labelTreasury } from './treasury.ts'
import { makeWebhookAttempts } from './webhooks.ts'

const startedMark = 'demo_started_at'
const filledMark = 'demo_filled'

/**
 * Fills a fresh embedded database with the demo platform (product 13.4), through the services of real data. All of it derives
 * from the stored start, and every write is an upsert, so an incomplete fill runs again at the next start. One console fills,
 * others wait.
 */
export async function fillDemo(services: Services, say: (line: string) => void): Promise<void> {
  if (services.config.isDemoWanted) await withFillLock(services, say, () => fill(services, say))
}

async function fill(services: Services, say: (line: string) => void): Promise<void> {
  const ctx = contextFor(services, { kind: 'system', name: 'Demo platform' })
  const instant = await startFill(ctx)
  if (instant === null) return
  const begun = performance.now()
  say('Filling the demo platform (first start only)')
  const platform = makePlatform(Date.parse(instant))
  // If there is a chain, transfers are read only from it.
  const hasChain = (await readLocalChainStart(ctx.database.db)) !== undefined
  await importLines(
    ctx,
    hasChain ? platform.lines.filter(({ type }) => type !== 'chainTransaction') : platform.lines,
    say,
  )
  if (hasChain) await labelTreasury(ctx)
  say(`  ${platform.people.length.toLocaleString('en')} members with wallets and transactions`)
  const bank = makeBank(Date.parse(instant), platform.people, makeOrders(Date.parse(instant), platform.people))
  const { orders } = bank
  await importLines(ctx, orders, say)
  const { lines, decided } = await fillBank(ctx, bank)
  say(`  ${lines.toLocaleString('en')} bank lines, ${decided.toLocaleString('en')} of them worked`)
  await importLines(ctx, makeTokens(Date.parse(instant)), say)
  const results = makeResults(platform.attempts, Date.parse(instant))
  const keys = await storeSpecimens(ctx, platform.attempts)
  say(`  ${keys.size.toLocaleString('en')} specimen documents`)
  await importLines(
    ctx,
    (await withoutImported(ctx, removeDecided(platform.attempts, results))).map((attempt) =>
      buildKycLine(attempt, keys),
    ),
    say,
  )
  await takeResults(ctx, results)
  await makeSecurityEvents(ctx, instant)
  await makeOperatorDecisions(ctx, makeDecisions(platform, [...platform.lines, ...orders], Date.parse(instant)))
  await makeWebhookAttempts(ctx, instant)
  await ctx.database.db.insert(settings).values({ name: filledMark, value: true }).onConflictDoNothing()
  say(`  KYC histories, bans and resets; done in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

/** Whether a fill is incomplete, or has nothing beside it yet. */
export const isDemoMissing = async ({ database }: Services): Promise<boolean> =>
  (await readFillState(database.db)) !== 'none'

/** When the fill began, `none` if there is nothing to fill, `new` if none has begun. */
async function readFillState(db: Db | Tx): Promise<string> {
  if ((await db.select().from(settings).where(eq(settings.name, filledMark))).length > 0) return 'none'
  const [started] = await db.select().from(settings).where(eq(settings.name, startedMark))
  if (started) return String(started.value)
  return (await db.select({ id: members.id }).from(members).limit(1)).length > 0 ? 'none' : 'new'
}

/** The moment from which all data derives. Null if there is nothing to fill. */
async function startFill(ctx: Ctx): Promise<string | null> {
  return inTransaction(ctx, async (tx) => {
    const state = await readFillState(tx)
    if (state !== 'new') return state === 'none' ? null : state
    const value = new Date().toISOString()
    await markDemoData(tx)
    if (canRunLocalChain(ctx.config)) await markLocalChain(tx, value)
    await tx.insert(settings).values({ name: startedMark, value })
    return value
  })
}

async function importLines(ctx: Ctx, lines: readonly ImportLine[], say: (line: string) => void) {
  const { refused, errors } = await importStream(ctx, Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`)))
  if (refused > 0) say(`  ${refused} lines were refused, the first because: ${errors[0]?.message}`)
}

/** Leaves out attempts that an incomplete fill has imported: a decision cannot be imported again after a reset. */
async function withoutImported(ctx: Ctx, attempts: readonly DemoAttempt[]): Promise<DemoAttempt[]> {
  const { memberId, attemptNumber, result } = kycSubmissions
  const found = await ctx.database.db
    .select({ memberId, attemptNumber })
    .from(kycSubmissions)
    .where(ne(result, 'under_review'))
  const decided = new Set(found.map((each) => `${each.memberId}/${each.attemptNumber}`))
  return attempts.filter(({ person, attempt }) => !decided.has(`${person.id}/${attempt}`))
}

/** Bans and resets members one by one, like an operator. Skips those that an incomplete fill has done. */
async function makeOperatorDecisions(ctx: Ctx, { bans, resets }: DemoDecisions) {
  const idsOf = async (ids: readonly string[], condition: SQL | undefined) => {
    const found = await ctx.database.db
      .select({ id: members.id })
      .from(members)
      .where(and(inArray(members.id, ids), condition))
    return new Set(found.map(({ id }) => id))
  }
  const active = await idsOf(
    bans.map(({ memberId }) => memberId),
    not(members.banned),
  )
  for (const { memberId, reason, at } of bans)
    if (active.has(memberId)) await ignoreConflict(banMember({ ...ctx, at }, memberId, { reason, ifMatch: undefined }))
  const rejected = await idsOf(resets, eq(members.kycStatus, 'rejected'))
  for (const id of resets)
    if (rejected.has(id)) await ignoreConflict(decideMemberKyc(ctx, id, { action: 'reset' }, undefined))
}

/** Ignores a conflict, because the change is already stored. */
async function ignoreConflict(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.status === 409)) throw error
  })
}

function buildKycLine(attempt: DemoAttempt, keys: DocumentKeys): ImportLine<'kyc'> {
  return {
    type: 'kyc',
    memberId: attempt.person.id,
    attempt: attempt.attempt,
    ...buildSteps(attempt, keys),
    ...(attempt.isSubmitted && { submit: true }),
    submittedAt: new Date(Math.round(attempt.submittedAt)).toISOString(),
    ...(attempt.decision && { decision: attempt.decision }),
  }
}
