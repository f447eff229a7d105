import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { Instant, PlatformId } from '#contract/schemas/common.ts'
import { joinProblems, listProblems } from '#server/http/problems.ts'
import { isValidHexMac, sha256 } from '#server/lib/hash.ts'
import { toStorableText, buildFactsExcerpt, buildMalformed, fieldOf } from './fields.ts'
import type { CaseResult, Content, Reading, ResultProvider } from './provider.ts'

/** Veriff's decision and event webhooks. Its others are recorded. */
export const veriff: ResultProvider = {
  name: 'veriff',
  isConfigured: ({ config }) => config.veriff !== undefined,
  matches: (headers) => headers['x-hmac-signature'] !== undefined || headers['x-auth-client'] !== undefined,
  verify({ config }, { headers, body }) {
    const { 'x-hmac-signature': signature, 'x-signature': legacy, 'x-auth-client': key } = headers
    if (signature === undefined && legacy === undefined) return 'missing'
    // The legacy signature hashes body and secret without a MAC, so it is not sufficient.
    if (!config.veriff || typeof signature !== 'string' || typeof key !== 'string') return 'invalid'
    const { apiKey, secret } = config.veriff
    const isSigned = isValidHexMac('sha256', secret, body, signature)
    return isSigned && timingSafeEqual(sha256(key), sha256(apiKey)) ? 'valid' : 'invalid'
  },
  read: (headers, json) => ({
    ...readMessage(json, String(headers['x-hmac-signature'])),
    named: readNames(fieldOf(fieldOf(json, 'verification') ?? json, 'vendorData')),
    excerpt: buildFactsExcerpt(json, ['feature', 'code', 'action', 'eventType', 'checkType', 'status', 'vendorData'], {
      verification: ['code', 'status', 'reasonCode', 'vendorData'],
    }),
  }),
  retries: 'the same bytes',
  description: {
    signature: "Veriff's signature headers",
    text: 'A body in Veriff’s shape with its signature headers is accepted too; its `vendorData` is the id of the case, or the member’s.',
    securityScheme: {
      name: 'hmacSignature',
      scheme: {
        type: 'apiKey',
        in: 'header',
        name: 'X-HMAC-SIGNATURE',
        description: "Veriff: the raw body's HMAC-SHA256 by the shared secret, with `X-AUTH-CLIENT`.",
      },
    },
    headers: [
      {
        name: 'X-HMAC-SIGNATURE',
        description:
          "Veriff: the raw body's HMAC-SHA256 in hexadecimal. The legacy `X-SIGNATURE` in its place is refused.",
        example: '0d7d…',
      },
      { name: 'X-AUTH-CLIENT', description: 'Veriff: the API key of the integration.', example: '8e4f7cd8-…' },
    ],
    body: {
      type: 'object',
      description:
        'The shape of Veriff’s decision webhooks, signed by `X-HMAC-SIGNATURE`. Its event, Full Auto and watchlist screening webhooks are accepted too, and change nothing.',
      properties: {
        status: { type: 'string', enum: ['success'] },
        verification: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'The session.' },
            attemptId: { type: 'string' },
            vendorData: { type: 'string', description: 'The id of the case, or the member’s.' },
            code: { type: 'integer', enum: [9001, 9102, 9103, 9104, 9121] },
            status: {
              type: 'string',
              enum: ['approved', 'declined', 'resubmission_requested', 'expired', 'abandoned', 'review'],
            },
            reason: {
              type: 'string',
              description: 'Where data are to be sent again, it is the reason for the member.',
            },
            reasonCode: { type: 'integer' },
            decisionTime: { type: 'string', format: 'date-time' },
          },
          required: ['id', 'code', 'status'],
        },
      },
      required: ['verification'],
      examples: [
        {
          verification: {
            id: '12df6045-3846-3e45-946a-14fa6136d78b',
            attemptId: '00bca969-b53a-4fad-b065-874d41a7b2b8',
            vendorData: 'case_5c1f0d8a7c29b344',
            code: 9103,
            status: 'resubmission_requested',
            reason: 'Document is not fully visible',
            reasonCode: 204,
            decisionTime: '2026-01-05T09:00:00.000Z',
          },
        },
      ],
    },
  },
}

/** The status words of each code. */
const statuses: Record<number, readonly string[]> = {
  7001: ['started'],
  7002: ['submitted'],
  9001: ['approved'],
  9102: ['declined'],
  9103: ['resubmission_requested'],
  9104: ['expired', 'abandoned'],
  9121: ['review'],
}

const optional = <T extends z.ZodMiniType>(type: T) => z.optional(z.nullable(type))
const id = z.string().check(z.minLength(1), z.maxLength(200))
const common = { id, attemptId: optional(id), code: z.int(), vendorData: optional(z.string()) }
const Verification = z.object({
  ...common,
  status: z.string(),
  reason: optional(z.string()),
  reasonCode: optional(z.union([z.int(), z.string().check(z.maxLength(20))])),
  decisionTime: optional(Instant),
})
type Verification = z.infer<typeof Verification>
const Decision = z.object({
  status: optional(z.literal('success', { error: 'must be success' })),
  verification: Verification,
})
const Event = z.pipe(
  z.object({ ...common, action: z.string() }),
  z.transform(({ action, ...event }) => ({ verification: { ...event, status: action } as Verification })),
)

const eventName = z.optional(z.string().check(z.regex(/^\w{1,64}$/)))
/** Full Auto (`eventType`) and watchlist screening (`checkType`) name no code. */
const Other = z.object({
  verification: z.optional(z.undefined()),
  code: z.optional(z.undefined()),
  attemptId: optional(id),
  eventType: eventName,
  checkType: eventName,
})

function readMessage(json: unknown, signature: string): Pick<Reading, 'id' | 'sentAt' | 'type' | 'content'> {
  const { eventType, checkType = eventType, attemptId } = Other.safeParse(json).data ?? {}
  if (checkType !== undefined)
    return {
      id: buildMessageId([attemptId, checkType], signature),
      sentAt: null,
      type: checkType,
      content: { kind: 'event' },
    }
  const isDecision = fieldOf(json, 'verification') !== undefined
  const { data, error } = isDecision ? Decision.safeParse(json) : Event.safeParse(json)
  if (error) return buildMalformed(joinProblems(listProblems(error.issues, 'body')))
  const { code, status, decisionTime = null } = data.verification
  const fieldNames = isDecision ? ['verification.code', 'verification.status'] : ['code', 'action']
  if (!statuses[code]) return buildMalformed(`${fieldNames[0]}: ${code} is not a code that this console knows`)
  if (!statuses[code].includes(status)) return buildMalformed(`${fieldNames[1]}: does not go with code ${code}`)
  return {
    id: buildMessageId([data.verification.id, data.verification.attemptId, code], signature),
    sentAt: decisionTime,
    type: `verification.${status}`,
    content: readContent(data.verification),
  }
}

/** Replaces the id that Veriff does not send. Identical for a message that is sent again. */
const buildMessageId = (facts: unknown[], signature: string) =>
  `veriff-${sha256(JSON.stringify([...facts, signature.toLowerCase()]))
    .toString('hex')
    .slice(0, 40)}`

/** Null if the code decides nothing. An expired session says nothing about documents; another may have followed. */
function readResult(code: number): CaseResult['result'] | null {
  if (code === 9001) return 'approved'
  if (code === 9121) return 'under_review'
  return code === 9102 || code === 9103 ? 'rejected' : null
}

function readContent({ code, vendorData, reason, reasonCode, decisionTime }: Verification): Content {
  const result = readResult(code)
  if (result === null) return { kind: 'event' }
  const id = PlatformId.safeParse(vendorData).data
  if (id === undefined)
    return { kind: 'malformed', problem: 'verification.vendorData: must be the id of a case or of a member' }
  return {
    kind: 'result',
    result: {
      subject: { by: 'case or member', id },
      result,
      kycScore: undefined,
      ...readReasons(code, toStorableText(reason), reasonCode),
      // The provider made the decision.
      autoProcessed: true,
      resultAt: decisionTime ?? null,
    },
  }
}

/** The member may read why something must be sent again. The reason of a declined session may contain a suspicion. */
function readReasons(code: number, given: string, reasonCode: number | string | null | undefined) {
  if (code === 9103) return { reason: given || 'The documents have to be sent again', isFinal: false, notes: null }
  if (code !== 9102) return { reason: null, isFinal: false, notes: null }
  const why = given && ` Reason${reasonCode == null ? '' : ` ${reasonCode}`}: ${given}`
  const notes = toStorableText(`The KYC provider calls this rejection final.${why}`)
  return { reason: 'The documents were rejected', isFinal: true, notes }
}

const caseForm = /^case_[\da-f]{16}$/

function readNames(vendorData: unknown): Reading['named'] {
  const id = PlatformId.safeParse(vendorData).data ?? null
  const isCase = id !== null && caseForm.test(id)
  return { memberId: isCase ? null : id, attemptNumber: null, caseId: isCase ? id : null }
}
