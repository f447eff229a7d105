import type { IncomingHttpHeaders } from 'node:http'
import { PlatformId } from '#contract/common.ts'
import { KycResult } from '#contract/platform-api.ts'
import { excerptOf } from '#server/adapters/excerpt.ts'
import { judgeSignature, toleranceSeconds } from '#server/adapters/standard-webhooks.ts'
import { hasSumsubDigest, isSumsubSigned, readSumsub } from '#server/adapters/sumsub.ts'
import type { Ctx } from '#server/context.ts'
import type { signatureVerdicts } from '#server/db/tables/webhooks.ts'
import { excerptIn, namedIn, type Named } from './facts.ts'

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
}

/** A message as it came in, judged and read. */
export interface Message {
  source: 'standard' | 'sumsub'
  signature: (typeof signatureVerdicts)[number]
  /** What it is known by when it comes again. */
  id: string | null
  /** The time that the message itself gives. */
  sentAt: string | null
  type: string
  /** Of an applicant who is made up: it counts for nobody. */
  isSandbox?: boolean
  word: ProviderWord | null
  /** What is wrong with its form. Without a word and a problem it is of a kind that changes nothing. */
  problem: string | null
  /** What it names, as far as it can be told, for the log. */
  named: Named
  excerpt: string | null
}

/** Reads a message by whichever scheme its headers show. Only of a validly signed one is the word taken. */
export async function readMessage(ctx: Ctx, headers: IncomingHttpHeaders, raw: Buffer, at: Date): Promise<Message> {
  const json = readJson(raw.toString('utf8'))
  const isSumsub = hasSumsubDigest(headers) && headers['webhook-signature'] === undefined
  const message = isSumsub ? fromSumsub(ctx, headers, raw, json, at) : await fromStandard(ctx, headers, raw, json, at)
  // It may repeat names of fields, which may be anything of any length.
  return { ...message, problem: message.problem && (excerptOf(message.problem) ?? 'The body is not in order') }
}

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

async function fromStandard(
  ctx: Ctx,
  headers: IncomingHttpHeaders,
  raw: Buffer,
  json: unknown,
  at: Date,
): Promise<Message> {
  const signature = judgeSignature(await secretsOf(ctx), headers, raw, at)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  const given = KycResult.safeParse(json)
  const problem =
    json === undefined
      ? 'The body is not valid JSON'
      : (given.error?.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ') ?? null)
  return {
    source: 'standard',
    signature,
    id: typeof id === 'string' ? id.slice(0, longestId + 1) : null,
    sentAt: /^\d{1,10}$/.test(String(timestamp)) ? new Date(Number(timestamp) * 1000).toISOString() : null,
    type: 'kyc.result',
    word: signature === 'valid' && given.success ? wordOf(given.data) : null,
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
})

/** What the provider said at `sentAt`, as its signed message would read. */
export const asMessage = (given: KycResult, id: string, sentAt: string): Message => ({
  source: 'standard',
  signature: 'valid',
  id,
  sentAt,
  type: 'kyc.result',
  word: wordOf(given),
  problem: null,
  named: namedIn(given, 'userId'),
  excerpt: excerptIn(given),
})

/** Ids are kept in an index. */
const longestId = 200

function fromSumsub({ config }: Ctx, headers: IncomingHttpHeaders, raw: Buffer, json: unknown, at: Date): Message {
  const isSigned = isSumsubSigned(config.sumsubWebhookSecret, headers, raw)
  const given = readSumsub(json, String(headers['x-payload-digest']))
  const common = {
    source: 'sumsub' as const,
    named: namedIn(json, 'externalUserId'),
    excerpt: excerptIn(json),
  }
  if (typeof given === 'string') {
    const problem = json === undefined ? 'The body is not valid JSON' : given
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
          notes: notes.filter(Boolean).join(' ') || null,
        }
      : null,
    problem: result !== null && !isKnownForm ? 'externalUserId: must be the id of a member' : null,
  }
}
