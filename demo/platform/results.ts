import { inArray } from 'drizzle-orm'
import type { KycResult } from '#contract/schemas/platform-api.ts'
import type { Ctx } from '#server/core/context.ts'
import { kycSubmissions } from '#server/db/tables/kyc.ts'
import { ownSource, takeResult } from '#server/features/kyc-results/service.ts'
import { findReceived } from '#server/features/messages/service.ts'
import type { DemoAttempt } from './history.ts'
import { Random } from './random.ts'
import { omit } from '#server/lib/omit.ts'

const minute = 60_000
const hour = 60 * minute
const iso = (time: number) => new Date(Math.round(time)).toISOString()

/** Whether the case has reached the provider by now. `webhooks.ts` gives up cases of the other hours. */
const hasReachedProvider = (age: number) => (age > 70 * minute && age < 6.5 * hour) || age > 22.5 * hour

const counts = { approved: 36, rejected: 10, waiting: 34 }
const doubts = [
  'The photo on the document is not clear.',
  'The selfie may show another person.',
  'The document expires within a month.',
]

/** The KYC provider's result for an attempt. If it decides, then at the time of the attempt's decision. */
export interface DemoResult {
  attempt: DemoAttempt
  verdict: Pick<KycResult, 'result' | 'autoProcessed' | 'reason'> & { kycScore: number }
  sentAt: string
}

/**
 * The provider's results: it decided the latest approvals, so that membership ids stay in order, and some rejections, each the
 * member's last. For some waiting attempts it gave an opinion.
 */
export function makeResults(attempts: readonly DemoAttempt[], instant: number): DemoResult[] {
  const random = new Random(2203)
  const last = new Map(attempts.map((each) => [each.person.id, each.attempt]))
  for (const each of attempts) last.set(each.person.id, Math.max(each.attempt, last.get(each.person.id) ?? 0))
  const isLast = (each: DemoAttempt) => each.isSubmitted && each.attempt === last.get(each.person.id)
  const decided = (result: 'approved' | 'rejected', count: number) =>
    attempts
      .filter((each) => isLast(each) && each.decision?.result === result)
      .toSorted((one, other) => one.decision!.decidedAt.localeCompare(other.decision!.decidedAt))
      .slice(-count)
      .map((attempt): DemoResult => {
        const { reason, decidedAt } = attempt.decision!
        const kycScore = result === 'approved' ? random.whole(82, 99) : random.whole(12, 40)
        return {
          attempt,
          verdict: { result, autoProcessed: true, kycScore, ...(reason && { reason }) },
          sentAt: decidedAt,
        }
      })
  const waiting = attempts
    .filter((each) => isLast(each) && !each.decision && hasReachedProvider(instant - each.submittedAt))
    .filter(() => random.chance(0.6))
    .slice(-counts.waiting)
    .map((attempt): DemoResult => ({
      attempt,
      verdict: makeOpinion(random),
      sentAt: iso(attempt.submittedAt + random.between(2, 40) * minute),
    }))
  return [...decided('approved', counts.approved), ...decided('rejected', counts.rejected), ...waiting].toSorted(
    (one, other) => one.sentAt.localeCompare(other.sentAt),
  )
}

function makeOpinion(random: Random): DemoResult['verdict'] {
  const kind = random.next()
  if (kind < 0.7) return { result: 'approved', autoProcessed: false, kycScore: random.whole(70, 95) }
  if (kind < 0.85) return { result: 'under_review', autoProcessed: false, kycScore: random.whole(50, 69) }
  return { result: 'rejected', autoProcessed: false, kycScore: random.whole(18, 45), reason: random.pick(doubts) }
}

const keyOf = (memberId: string, attempt: number) => `${memberId}/${attempt}`

/** The attempts to import: without a decision if the provider decides. */
export function removeDecided(attempts: readonly DemoAttempt[], results: readonly DemoResult[]): DemoAttempt[] {
  const decided = new Set(results.flatMap(({ attempt, verdict }) => (verdict.autoProcessed ? [attempt] : [])))
  return attempts.map((each) => (decided.has(each) ? omit(each, ['decision']) : each))
}

/** Applies the results one by one, like messages. Skips those that an incomplete fill has applied. */
export async function takeResults(ctx: Ctx, results: readonly DemoResult[]): Promise<void> {
  const { db } = ctx.database
  const idOf = ({ attempt: { person, attempt } }: DemoResult) => `demo-${person.id}-${attempt}`
  const done = await findReceived(ctx, ownSource, results.map(idOf))
  const cases = await db
    .select({ memberId: kycSubmissions.memberId, attempt: kycSubmissions.attemptNumber, caseId: kycSubmissions.caseId })
    .from(kycSubmissions)
    .where(
      inArray(
        kycSubmissions.memberId,
        results.map(({ attempt }) => attempt.person.id),
      ),
    )
  const caseIds = new Map(cases.map(({ memberId, attempt, caseId }) => [keyOf(memberId, attempt), caseId]))
  for (const each of results) {
    const { person, attempt: attemptNumber } = each.attempt
    const caseId = caseIds.get(keyOf(person.id, attemptNumber))
    if (caseId === undefined || done.has(idOf(each))) continue
    const given = { caseId, userId: person.id, attemptNumber, ...each.verdict }
    await takeResult(ctx, given, idOf(each), each.sentAt)
  }
}
