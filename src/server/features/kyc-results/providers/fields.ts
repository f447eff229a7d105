import { PlatformId } from '#contract/schemas/common.ts'
import { maxAttempts } from '#contract/platform.ts'
import { trimText } from '#contract/visible.ts'
import { buildExcerpt } from '#server/adapters/excerpt.ts'
import type { ReceivedMessage } from '#server/features/messages/service.ts'

export const fieldOf = (json: unknown, name: string): unknown => (Object(json) as Record<string, unknown>)[name]

/** Reads the ids in a body of any form for the log. Only ids of the expected form, because the sender may be anyone. */
export function readNames(json: unknown, userField: string): ReceivedMessage['named'] {
  const [userId, attempt, caseId] = [userField, 'attemptNumber', 'caseId'].map((name) => fieldOf(json, name))
  return {
    memberId: PlatformId.safeParse(userId).data ?? null,
    attemptNumber:
      Number.isInteger(attempt) && Number(attempt) > 0 && Number(attempt) <= maxAttempts ? Number(attempt) : null,
    caseId: typeof caseId === 'string' && /^[\w.:-]{1,64}$/.test(caseId) ? caseId : null,
  }
}

/** Excludes nested values, which may be nested deeper than can be serialised. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'))

const pickFields = (from: unknown, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, fieldOf(from, name)]).filter(([, value]) => isPlain(value)))

/** An excerpt of these fields, and of these fields of nested objects. Others, such as comments, may name the member. */
export function buildFactsExcerpt(
  json: unknown,
  names: readonly string[],
  within: Record<string, readonly string[]> = {},
): string | null {
  const facts = pickFields(json, names)
  for (const [name, inner] of Object.entries(within)) {
    const picked = pickFields(fieldOf(json, name), inner)
    if (Object.keys(picked).length > 0) facts[name] = picked
  }
  return Object.keys(facts).length > 0 ? buildExcerpt(JSON.stringify(facts)) : null
}

/** What is read of a message whose form is wrong. */
export const buildMalformed = (problem: string) => ({
  id: null,
  sentAt: null,
  type: 'kyc.result',
  content: { kind: 'malformed' as const, problem },
})

const longestText = 1000

/** Removes NUL and broken characters and cuts to the length of a rejection reason, so that it can be stored. */
export const toStorableText = (value: string | null | undefined): string =>
  Array.from(trimText((value ?? '').replaceAll('\0', '').toWellFormed()))
    .slice(0, longestText)
    .join('')
