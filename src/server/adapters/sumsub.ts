import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { sha256 } from '#server/lib/hash.ts'

/** What Sumsub sends of an applicant: the digest headers of its webhooks, its forms of a time, and its words. */

const algorithms: Record<string, string> = {
  HMAC_SHA1_HEX: 'sha1',
  HMAC_SHA256_HEX: 'sha256',
  HMAC_SHA512_HEX: 'sha512',
}

export const hasSumsubDigest = (headers: IncomingHttpHeaders): boolean => headers['x-payload-digest'] !== undefined

/** Whether the digest is that of the raw body. One without an algorithm is the default one; an unknown algorithm is none. */
export function isSumsubSigned(secret: string | undefined, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'x-payload-digest': digest, 'x-payload-digest-alg': named = 'HMAC_SHA256_HEX' } = headers
  const algorithm = typeof named === 'string' && Object.hasOwn(algorithms, named) && algorithms[named]
  if (!secret || !algorithm || typeof digest !== 'string') return false
  const ours = Buffer.from(createHmac(algorithm, secret).update(body).digest('hex'))
  // As text: read as hexadecimal, one odd digit more would be let go, and the same message known by another id.
  const given = Buffer.from(digest.toLowerCase())
  return given.length === ours.length && timingSafeEqual(given, ours)
}

const dateForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?) ?(Z|[+-]\d\d:?\d\d)?$/

/** `2020-02-21 13:23:19.321` (UTC), the milliseconds of the epoch as text, or `2026-09-26 10:00:00+0000`; else undefined. */
export function readSumsubTime(value: string | number | undefined): string | undefined {
  const text = String(value ?? '')
  const [, day, time, zone = 'Z'] = dateForm.exec(text) ?? []
  const given = /^\d{13}$/.test(text)
    ? Number(text)
    : Date.parse(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  if (!Number.isFinite(given)) return undefined
  const at = new Date(given).toISOString()
  return /^[1-9]\d{3}-/.test(at) ? at : undefined
}

const said = z.string().nullish()
const Message = z.object({
  type: z.string().regex(/^[A-Za-z]{1,64}$/, 'must be the name of an event'),
  applicantId: z.string().min(1).max(200),
  externalUserId: said,
  createdAtMs: z.union([z.string(), z.number()]).optional(),
  createdAt: z.string().optional(),
  sandboxMode: z.boolean().nullish(),
  reviewResult: z
    .object({
      reviewAnswer: said,
      reviewRejectType: said,
      rejectLabels: z.array(z.string()).nullish(),
      /** For the applicant. `clientComment` is for us alone, and nothing here reads it. */
      moderationComment: said,
    })
    .nullish(),
})

export interface SumsubMessage {
  type: string
  /** Stands for the id that Sumsub gives no message: the same for one that is sent again. */
  id: string
  sentAt: string
  userId: string | null
  /** Of an applicant who is made up: whatever it says, it counts for nobody. */
  isSandbox: boolean
  /** Null: it says nothing of a review that counts here. */
  result: 'approved' | 'rejected' | 'under_review' | null
  reason: string | null
  isFinal: boolean
  /** For operators alone: labels may name a suspicion. */
  labels: string | null
}

/** What a message says; a text says what is wrong with it. */
export function readSumsub(body: unknown, digest: string): SumsubMessage | string {
  const parsed = Message.safeParse(body)
  if (!parsed.success) return parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  const { type, applicantId, externalUserId, createdAtMs, createdAt, reviewResult, sandboxMode } = parsed.data
  const sentAt = readSumsubTime(createdAtMs) ?? readSumsubTime(createdAt)
  if (sentAt === undefined) return 'createdAtMs: is no time in a form of Sumsub'
  const result = resultOf(type, reviewResult?.reviewAnswer)
  if (result === undefined) return 'reviewResult.reviewAnswer: must be GREEN or RED'
  const isRejected = result === 'rejected'
  return {
    type,
    id: `sumsub-${sha256(JSON.stringify([applicantId, type, sentAt, digest.toLowerCase()]))
      .toString('hex')
      .slice(0, 40)}`,
    sentAt,
    userId: externalUserId ?? null,
    isSandbox: sandboxMode === true,
    result: sandboxMode ? null : result,
    reason: isRejected ? asText(reviewResult?.moderationComment) || 'The documents were rejected' : null,
    isFinal: isRejected && reviewResult?.reviewRejectType === 'FINAL',
    labels: (isRejected && asText((reviewResult?.rejectLabels ?? []).join(', '))) || null,
  }
}

/** Undefined: a review without an answer that is known. */
function resultOf(type: string, answer: string | null | undefined): SumsubMessage['result'] | undefined {
  if (type === 'applicantPending' || type === 'applicantOnHold') return 'under_review'
  if (type !== 'applicantReviewed') return null
  if (answer === 'GREEN') return 'approved'
  return answer === 'RED' ? 'rejected' : undefined
}

const longestReason = 1000

/** The text without NUL and broken characters, cut to the length of a rejection reason: what the database can store. */
const asText = (value: string | null | undefined) =>
  Array.from((value ?? '').replaceAll('\0', '').toWellFormed().trim())
    .slice(0, longestReason)
    .join('')
