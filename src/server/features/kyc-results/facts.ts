import { PlatformId } from '#contract/schemas/common.ts'
import { maxAttempts } from '#contract/platform.ts'
import { excerptOf } from '#server/adapters/excerpt.ts'
import type { Received } from '#server/features/messages/service.ts'

const fieldOf = (json: unknown, name: string): unknown => (Object(json) as Record<string, unknown>)[name]

/** Whatever it was: the log says whom it named, where that can be the name of anyone. */
export function namedIn(json: unknown, userField: string): Received['named'] {
  const [userId, attempt, caseId] = [userField, 'attemptNumber', 'caseId'].map((name) => fieldOf(json, name))
  return {
    memberId: PlatformId.safeParse(userId).data ?? null,
    attemptNumber:
      Number.isInteger(attempt) && Number(attempt) > 0 && Number(attempt) <= maxAttempts ? Number(attempt) : null,
    caseId: typeof caseId === 'string' && /^[\w.:-]{1,64}$/.test(caseId) ? caseId : null,
  }
}

const shown = [
  'type',
  'caseId',
  'userId',
  'externalUserId',
  'attemptNumber',
  'result',
  'kycScore',
  'autoProcessed',
  'reviewStatus',
  'levelName',
  'sandboxMode',
] as const
const shownOfReview = ['reviewAnswer', 'reviewRejectType', 'rejectLabels'] as const

/** Nothing nested: what anyone may send can be nested deeper than can be written out again. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'))

/** The body's facts alone: reasons and comments may name the member. */
export function excerptIn(json: unknown): string | null {
  const pick = (from: unknown, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, fieldOf(from, name)]).filter(([, value]) => isPlain(value)))
  const review = pick(fieldOf(json, 'reviewResult'), shownOfReview)
  const facts = { ...pick(json, shown), ...(Object.keys(review).length > 0 && { reviewResult: review }) }
  return Object.keys(facts).length > 0 ? excerptOf(JSON.stringify(facts)) : null
}
