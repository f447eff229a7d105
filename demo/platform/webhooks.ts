import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { messageAttempts, messages } from '#server/db/tables/messages.ts'
import { kycCases, recordTries, retryPauses, leaseCase } from '#server/features/messages/service.ts'
import { Random } from './random.ts'

const hour = 3_600_000
const day = 24 * hour
const caseCount = 88

interface DemoCase {
  memberId: string
  attemptNumber: number
  submittedAt: string
  result: string
  /** Whether the provider has answered, so that the case must have arrived. */
  isAnswered: boolean
}

const failures = [
  { errorMessage: 'HTTP 500', httpStatus: 500, responseExcerpt: '{"status":"error","reason":"Internal error"}' },
  { errorMessage: 'Timed out after 10 s', httpStatus: null, responseExcerpt: null },
  { errorMessage: 'HTTP 503', httpStatus: 503, responseExcerpt: '{"status":"busy","reason":"Try again later"}' },
  { errorMessage: 'The connection was reset', httpStatus: null, responseExcerpt: null },
] as const

/**
 * How the demo platform's cases reached the provider over the last weeks, recorded by the real functions. Most arrived at once, a
 * few at the second try, and two of the last day failed after their last retry (product 13.4).
 */
export async function makeWebhookAttempts(ctx: Ctx, instant: string): Promise<void> {
  const now = Date.parse(instant)
  await inTransaction(ctx, async (tx) => {
    if ((await tx.$count(messageAttempts, eq(messageAttempts.channel, 'kyc'))) > 0) return
    const random = new Random(4711)
    const since = await findSubmittedCases(tx, now - 28 * day, now)
    const lost = since.filter((each) => each.result === 'under_review' && isGivenUpToday(each, now)).slice(-2)
    const others = random
      .shuffled(since.filter((each) => !lost.includes(each)))
      .toSorted((one, other) => Number(other.isAnswered) - Number(one.isAnswered))
      .slice(0, caseCount)
    const arrived = others.map((each, n) => ({ ...each, failures: n < 2 ? 1 : 0 }))
    const all = [...lost.map((each) => ({ ...each, failures: retryPauses.length + 1 })), ...arrived]
    for (const each of all.toSorted((one, other) => one.submittedAt.localeCompare(other.submittedAt)))
      await makeTries(tx, ctx, random, each, now)
  })
}

const findSubmittedCases = (tx: Tx, from: number, until: number): Promise<DemoCase[]> => {
  const { memberId, attemptNumber, submittedAt, result } = kycSubmissions
  return tx
    .select({
      memberId,
      attemptNumber,
      submittedAt,
      result,
      isAnswered: sql<boolean>`${kycVerifications.providerResult} IS NOT NULL`,
    })
    .from(kycSubmissions)
    .innerJoin(
      kycVerifications,
      and(eq(kycVerifications.memberId, memberId), eq(kycVerifications.attemptNumber, attemptNumber)),
    )
    .where(and(gt(submittedAt, new Date(from).toISOString()), lte(submittedAt, new Date(until - hour).toISOString())))
    .orderBy(asc(submittedAt), asc(memberId))
}

/** Whether its five retries, over five and a half hours, ended within the last day, and will have in two hours. */
const isGivenUpToday = ({ submittedAt }: DemoCase, now: number) => {
  const age = now - Date.parse(submittedAt)
  return age > 7 * hour && age < 22 * hour
}

async function makeTries(tx: Tx, ctx: Ctx, random: Random, each: DemoCase & { failures: number }, now: number) {
  let at = Date.parse(each.submittedAt)
  for (let n = 0; n <= each.failures; n++) {
    at += Math.round(
      n === 0 ? random.between(400, 4000) : (retryPauses[n - 1] ?? 0) * 1000 * random.between(0.95, 1.05),
    )
    const outcome = n < each.failures ? makeFailure(random, n) : makeSuccess(random)
    if (at > now || n > retryPauses.length) return
    const message = await leaseCase(tx, ctx, each.memberId, each.attemptNumber, 'queue')
    await recordTries(tx, { ...ctx, at: new Date(at).toISOString() }, kycCases, [{ message, outcome }])
    await tx.update(messages).set({ createdAt: each.submittedAt }).where(eq(messages.id, message.id))
  }
}

const makeSuccess = (random: Random): TryOutcome => ({
  success: true,
  errorMessage: null,
  httpStatus: 202,
  latencyMs: Math.round(120 * 12 ** random.next()),
  responseExcerpt: '{"status":"accepted"}',
})

function makeFailure(random: Random, n: number): TryOutcome {
  const failure = failures[n % failures.length]!
  const latencyMs = failure.errorMessage.startsWith('Timed out') ? 10_001 : Math.round(90 * 9 ** random.next())
  return { ...failure, success: false, latencyMs }
}
