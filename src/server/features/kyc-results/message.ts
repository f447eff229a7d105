import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { PlatformId } from '#contract/schemas/common.ts'
import { KycResult } from '#contract/schemas/platform-api.ts'
import { excerptOf } from '#server/adapters/excerpt.ts'
import { judgeSignature, type SignatureVerdict, toleranceSeconds } from '#server/adapters/standard-webhooks.ts'
import { hasSumsubDigest, isSumsubSigned, readSumsub } from '#server/adapters/sumsub.ts'
import type { Ctx } from '#server/core/context.ts'
import type { signatureVerdicts } from '#server/db/tables/messages.ts'
import type { Received } from '#server/features/messages/service.ts'
import { hasDuplicateName } from '#server/lib/json.ts'
import { inOneLine, problemsOf, type Problem } from '#server/http/problems.ts'
import { excerptIn, namedIn } from './facts.ts'

/** What the provider says of a case. */
export interface ProviderWord {
  userId: string
  /** Null where the provider knows cases by their member alone: then it is the attempt of the message's own time. */
  attemptNumber: number | null
  caseId: string | null
  result: KycResult['result']
  kycScore: number | undefined
  reason: string | null
  /** Whether a rejection is meant for good. */
  isFinal: boolean
  /** What operators alone may know of it. */
  notes: string | null
  autoProcessed: boolean
  /** The result's own time; null where it says none. */
  resultAt: string | null
}

/** A message as it came in, judged and read. */
export interface Message extends Received {
  signature: (typeof signatureVerdicts)[number]
  /** Of an applicant who is made up: it counts for nobody. */
  isSandbox?: boolean
  word: ProviderWord | null
  /** What is wrong with its form. Without a word and a problem it is of a kind that changes nothing. */
  problem: string | null
  /** The same, field by field. */
  details?: Problem[] | undefined
}

/** By which scheme a message is signed, and how that signature is judged, before anything of it is read. */
interface Judged {
  source: Message['source']
  signature: SignatureVerdict
}

/** Judges by whichever scheme the headers show. */
export async function judgeMessage(ctx: Ctx, headers: IncomingHttpHeaders, raw: Buffer, at: Date): Promise<Judged> {
  if (!hasSumsubDigest(headers) || headers['webhook-signature'] !== undefined)
    return { source: 'standard', signature: judgeSignature(await secretsOf(ctx), headers, raw, at) }
  const isSigned = isSumsubSigned(ctx.config.sumsubWebhookSecret, headers, raw)
  return { source: 'sumsub', signature: isSigned ? 'valid' : 'invalid' }
}

/** Reads a message that is judged. Only of a validly signed one is the word taken. */
export function readMessage(judged: Judged, headers: IncomingHttpHeaders, raw: Buffer, at: Date): Message {
  const text = raw.toString()
  const json = isUtf8(raw) ? readJson(text) : undefined
  const read = judged.source === 'sumsub' ? fromSumsub : fromStandard
  const message = read(judged.signature, headers, json, at)
  if (json !== undefined && hasDuplicateName(text, json)) return { ...message, word: null, problem: givenTwice }
  // It may repeat names of fields, which may be anything of any length.
  return { ...message, problem: message.problem && (excerptOf(message.problem) ?? 'The body is not in order') }
}

const notJson = 'The body is not valid JSON in UTF-8'
const givenTwice = 'The body gives a field twice'

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The secrets of the set provider, or of the sandbox that stands for one. */
async function secretsOf({ config, kycProvider }: Ctx): Promise<readonly string[]> {
  const sandbox = kycProvider.hasSandbox ? await kycProvider.find() : undefined
  return [...config.kycWebhookSecrets, ...(sandbox?.secrets ?? [])]
}

function fromStandard(signature: SignatureVerdict, headers: IncomingHttpHeaders, json: unknown): Message {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  const given = KycResult.safeParse(json)
  const details = json !== undefined && given.error ? problemsOf(given.error.issues, 'body') : undefined
  const problem = json === undefined ? notJson : details ? inOneLine(details) : null
  return {
    source: 'standard',
    signature,
    id: typeof id === 'string' ? id.slice(0, longestId + 1) : null,
    sentAt: /^\d{1,10}$/.test(String(timestamp)) ? new Date(Number(timestamp) * 1000).toISOString() : null,
    type: 'kyc.result',
    word: signature === 'valid' && given.success ? wordOf(given.data) : null,
    details,
    problem:
      problem ?? (String(id).length > longestId ? `webhook-id: must have at most ${longestId} characters` : null),
    named: namedIn(json, 'userId'),
    excerpt: excerptIn(json),
  }
}

const wordOf = (given: KycResult): ProviderWord => ({
  ...given,
  kycScore: given.kycScore,
  reason: given.reason?.trim() || null,
  isFinal: false,
  notes: null,
  resultAt: given.resultAt ?? null,
})

/** What the provider said at `sentAt`, as its signed message would read. */
export const asMessage = (given: KycResult, id: string, sentAt: string): Message => ({
  source: 'standard',
  signature: 'valid',
  id,
  sentAt,
  type: 'kyc.result',
  word: { ...wordOf(given), resultAt: given.resultAt ?? sentAt },
  problem: null,
  named: namedIn(given, 'userId'),
  excerpt: excerptIn(given),
})

/** Ids are kept in an index. */
const longestId = 200

function fromSumsub(verdict: SignatureVerdict, headers: IncomingHttpHeaders, json: unknown, at: Date): Message {
  const isSigned = verdict === 'valid'
  const given = readSumsub(json, String(headers['x-payload-digest']))
  const common = {
    source: 'sumsub' as const,
    named: namedIn(json, 'externalUserId'),
    excerpt: excerptIn(json),
  }
  if (typeof given === 'string') {
    const problem = json === undefined ? notJson : given
    return {
      ...common,
      signature: isSigned ? 'valid' : 'invalid',
      id: null,
      sentAt: null,
      type: 'kyc.result',
      word: null,
      problem,
    }
  }
  const { id, sentAt, type, userId, isSandbox, result, reason, isFinal, labels } = given
  const notes = [isFinal && 'The KYC provider calls this rejection final.', labels && `Labels: ${labels}`]
  // Sent again for days under the time of the event, so that only a time to come is a wrong one.
  const isAhead = Date.parse(sentAt) > at.getTime() + toleranceSeconds * 1000
  const isKnownForm = userId !== null && PlatformId.safeParse(userId).success
  const counts = isSigned && result !== null && isKnownForm
  return {
    ...common,
    signature: !isSigned ? 'invalid' : isAhead ? 'stale' : 'valid',
    id,
    sentAt,
    type,
    isSandbox,
    // A review is the provider's own decision.
    word: counts
      ? {
          userId,
          result,
          reason,
          isFinal,
          attemptNumber: null,
          caseId: null,
          kycScore: undefined,
          autoProcessed: true,
          // Of the event, the same however often Sumsub sends it.
          resultAt: sentAt,
          notes: notes.filter(Boolean).join(' ') || null,
        }
      : null,
    problem: result !== null && !isKnownForm ? 'externalUserId: must be the id of a member' : null,
  }
}
