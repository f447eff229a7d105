import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { PlatformId } from '#contract/schemas/common.ts'
import { toStorableText, buildFactsExcerpt, buildMalformed, readNames } from './fields.ts'
import type { CaseResult, Content, Reading, ResultProvider } from './provider.ts'
import { isValidHexMac, sha256 } from '#server/lib/hash.ts'

const algorithms: Record<string, string> = {
  HMAC_SHA1_HEX: 'sha1',
  HMAC_SHA256_HEX: 'sha256',
  HMAC_SHA512_HEX: 'sha512',
}

/** Sumsub's webhooks about applicants, with digest headers. */
export const sumsub: ResultProvider = {
  name: 'sumsub',
  isConfigured: ({ config }) => config.sumsubWebhookSecret !== undefined,
  matches: (headers) => headers['x-payload-digest'] !== undefined,
  verify: ({ config }, { headers, body }) =>
    isSigned(config.sumsubWebhookSecret, headers, body) ? 'valid' : 'invalid',
  read: (headers, json) => ({
    ...readMessage(json, String(headers['x-payload-digest'])),
    named: readNames(json, 'externalUserId'),
    excerpt: buildFactsExcerpt(json, excerptFields, {
      reviewResult: ['reviewAnswer', 'reviewRejectType', 'rejectLabels'],
    }),
  }),
  retries: 'the same bytes',
  description: {
    signature: "Sumsub's digest headers",
    text: 'A body in Sumsub’s shape with its digest headers is accepted too; its `externalUserId` is the member’s id.',
    securityScheme: {
      name: 'payloadDigest',
      scheme: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Payload-Digest',
        description: "Sumsub: the raw body's HMAC by the shared secret, with `X-Payload-Digest-Alg`.",
      },
    },
    headers: [
      {
        name: 'X-Payload-Digest',
        description: "Sumsub: the raw body's HMAC in hexadecimal, in place of the three above.",
        example: '5f0d…',
      },
      {
        name: 'X-Payload-Digest-Alg',
        description: 'Sumsub: `HMAC_SHA256_HEX`, `HMAC_SHA512_HEX` or `HMAC_SHA1_HEX`.',
        example: 'HMAC_SHA256_HEX',
      },
    ],
    body: {
      type: 'object',
      description: 'The shape of Sumsub’s webhooks, signed by `X-Payload-Digest`.',
      properties: {
        type: { type: 'string', description: 'Such as `applicantReviewed`, `applicantPending` or `applicantOnHold`.' },
        applicantId: { type: 'string' },
        externalUserId: { type: 'string', description: 'The member’s id.' },
        createdAtMs: { type: 'string', description: 'When it was said: `2026-01-05 09:00:00.000`, in UTC.' },
        reviewResult: {
          type: 'object',
          properties: {
            reviewAnswer: { type: 'string', enum: ['GREEN', 'RED'] },
            reviewRejectType: { type: 'string', enum: ['RETRY', 'FINAL'] },
            rejectLabels: { type: 'array', items: { type: 'string' } },
            moderationComment: { type: 'string', description: 'For the member: the reason.' },
          },
        },
      },
      required: ['type', 'applicantId'],
    },
  },
}

const excerptFields = ['type', 'externalUserId', 'reviewStatus', 'levelName', 'sandboxMode'] as const

/** Whether the digest matches the raw body. Without an algorithm the default applies. An unknown one never matches. */
function isSigned(secret: string | undefined, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'x-payload-digest': digest, 'x-payload-digest-alg': named = 'HMAC_SHA256_HEX' } = headers
  const algorithm = typeof named === 'string' && Object.hasOwn(algorithms, named) && algorithms[named]
  if (!secret || !algorithm || typeof digest !== 'string') return false
  return isValidHexMac(algorithm, secret, body, digest)
}

const dateForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?) ?(Z|[+-]\d\d:?\d\d)?$/

/** Parses `2020-02-21 13:23:19.321` (UTC), milliseconds since 1970, or `2026-09-26 10:00:00+0000`. Else undefined. */
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

const text = z.string().nullish()
const Message = z.object({
  type: z.string().regex(/^[A-Za-z]{1,64}$/, 'must be the name of an event'),
  applicantId: z.string().min(1).max(200),
  externalUserId: text,
  createdAtMs: z.union([z.string(), z.number()]).optional(),
  createdAt: z.string().optional(),
  sandboxMode: z.boolean().nullish(),
  reviewResult: z
    .object({
      reviewAnswer: text,
      reviewRejectType: text,
      rejectLabels: z.array(z.string()).nullish(),
      /** For the applicant. `clientComment` is for us and is not read. */
      moderationComment: text,
    })
    .nullish(),
})
type Message = z.infer<typeof Message>

function readMessage(json: unknown, digest: string): Pick<Reading, 'id' | 'sentAt' | 'type' | 'content'> {
  const { data: message, error } = Message.safeParse(json)
  if (error) return buildMalformed(error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
  const { type, applicantId, createdAtMs, createdAt, reviewResult } = message
  const sentAt = readSumsubTime(createdAtMs) ?? readSumsubTime(createdAt)
  if (sentAt === undefined) return buildMalformed('createdAtMs: is no time in a form of Sumsub')
  const result = readResult(type, reviewResult?.reviewAnswer)
  if (result === undefined) return buildMalformed('reviewResult.reviewAnswer: must be GREEN or RED')
  return {
    id: buildMessageId(applicantId, type, sentAt, digest),
    sentAt,
    type,
    content: readContent(message, result, sentAt),
  }
}

/** Replaces the id that Sumsub does not send. Identical for a message that is sent again. */
const buildMessageId = (applicantId: string, type: string, sentAt: string, digest: string) =>
  `sumsub-${sha256(JSON.stringify([applicantId, type, sentAt, digest.toLowerCase()]))
    .toString('hex')
    .slice(0, 40)}`

/** Null if the message is not about a review. Undefined for a review without a known answer. */
function readResult(type: string, answer: string | null | undefined): CaseResult['result'] | null | undefined {
  if (type === 'applicantPending' || type === 'applicantOnHold') return 'under_review'
  if (type !== 'applicantReviewed') return null
  if (answer === 'GREEN') return 'approved'
  return answer === 'RED' ? 'rejected' : undefined
}

function readContent(message: Message, result: CaseResult['result'] | null, sentAt: string): Content {
  const { externalUserId, reviewResult, sandboxMode } = message
  if (sandboxMode) return { kind: 'sandbox' }
  if (result === null) return { kind: 'event' }
  const userId = PlatformId.safeParse(externalUserId).data
  if (userId === undefined) return { kind: 'malformed', problem: 'externalUserId: must be the id of a member' }
  const isRejected = result === 'rejected'
  const isFinal = isRejected && reviewResult?.reviewRejectType === 'FINAL'
  // Labels may contain a suspicion.
  const labels = isRejected && toStorableText((reviewResult?.rejectLabels ?? []).join(', '))
  const notes = [isFinal && 'The KYC provider calls this rejection final.', labels && `Labels: ${labels}`]
  return {
    kind: 'result',
    result: {
      subject: { by: 'member', userId },
      result,
      kycScore: undefined,
      reason: isRejected ? toStorableText(reviewResult?.moderationComment) || 'The documents were rejected' : null,
      isFinal,
      notes: notes.filter(Boolean).join(' ') || null,
      // The provider made the review's decision.
      autoProcessed: true,
      // The time of the event, identical in every try.
      resultAt: sentAt,
    },
  }
}
