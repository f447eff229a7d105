import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod/mini'
import type { KycResult, KycResultTaken } from '#contract/schemas/platform-api.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import {
  findEarlier,
  firstSeen,
  lockReceived,
  type ReceivedOutcome,
  recordReceived,
} from '#server/features/messages/service.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { applyResult } from './apply.ts'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { toMessage, judgeRequest, readRequest, type Message } from './message.ts'
import {
  describeOutcome,
  describeRefusal,
  type Outcome,
  type Refusal,
  refuse,
  refusalError,
  type RefusedSignature,
} from './outcome.ts'
import { toReading, standard } from './providers/standard.ts'
import { countRefusal } from './count-refusals.ts'

/** Whose messages the console's own form is, in the log. */
export const ownSource = standard.name

const limitRefused = createLimiter(1, 60, 'Too many refused results at once')

const signatureRefusal = (signature: RefusedSignature): Refusal => ({ because: 'signature', signature })

interface ReceiptTimes {
  /** When its reading began, on the clock of `performance`. */
  begun?: number
  /** When it came, where that is not now. */
  at?: string
}

/**
 * Takes an answer of the KYC provider (product 11.2): its signature is judged in memory, then the message once,
 * whatever it says; each is a row of the log, of refused ones as many as there is room for. Throws unauthorized for a
 * signature that is missing, wrong or of another time; message_replayed and case_mismatch; invalid and not_found.
 */
export async function receiveResult(
  ctx: Ctx,
  refusals: RefusalTally,
  given: { headers: IncomingHttpHeaders; body: Buffer },
): Promise<z.infer<typeof KycResultTaken>> {
  const begun = performance.now()
  const request = { ...given, at: new Date() }
  const judged = await judgeRequest(ctx, request)
  if (judged.signature !== 'valid' && !countRefusal(refusals, ctx, judged.signature))
    throw refusalError(signatureRefusal(judged.signature))
  const message = readRequest(judged, request)
  const { signature } = message
  if (signature === 'valid') return toReply(await settleMessage(ctx, message, { begun }, refusals))
  const refusal = refuse(signatureRefusal(signature))
  // Only of another time as its own words say.
  if (signature !== judged.signature && !countRefusal(refusals, ctx, signature)) return toReply(refusal)
  // Strangers never hold more than one connection, and are refused as they are whether or not it can be written down.
  await limitRefused(() => inTransaction(ctx, (tx) => recordMessage(tx, ctx, message, refusal, { begun }))).catch(
    (error: unknown) => ctx.log.warn({ err: error }, 'a refused KYC result could not be written down'),
  )
  return toReply(refusal)
}

/** Takes what the provider said at `sentAt` under this id as its signed message. Throws as receiveResult does. */
export async function takeResult(ctx: Ctx, given: KycResult, id: string, sentAt: string): Promise<void> {
  toReply(await settleMessage(ctx, toMessage(standard, toReading(given, id, sentAt)), { at: sentAt }))
}

async function settleMessage(
  asking: Ctx,
  message: Message,
  times: ReceiptTimes,
  refusals?: RefusalTally,
): Promise<Outcome> {
  const ctx: Ctx = { ...asking, actor: { kind: 'system', name: 'KYC provider' } }
  return inTransaction(ctx, async (tx) => {
    const outcome = await decideOutcome(tx, ctx, message, times.at)
    if (!isReplay(outcome) || !refusals || countRefusal(refusals, ctx, 'replayed'))
      await recordMessage(tx, ctx, message, outcome, times)
    return outcome
  })
}

const isReplay = (outcome: Outcome) => outcome.state === 'refused' && outcome.refusal.because === 'replay'

/** Throws the refusal of a message that is refused. */
function toReply(outcome: Outcome): z.infer<typeof KycResultTaken> {
  if (outcome.state === 'refused') throw refusalError(outcome.refusal)
  return { outcome: outcome.state, note: describeOutcome(outcome) }
}

/** The row of a message and of what became of it, under the case that it was found to be of. */
async function recordMessage(tx: Tx, ctx: Ctx, message: Message, outcome: Outcome, times: ReceiptTimes): Promise<void> {
  const { begun = performance.now(), at } = times
  const latencyMs = Math.round(performance.now() - begun)
  const named = 'of' in outcome ? outcome.of : message.named
  await recordReceived(tx, ctx, { ...message, named }, toReceivedOutcome(message, outcome), { latencyMs, at })
}

async function decideOutcome(tx: Tx, ctx: Ctx, message: Message, at: string | undefined): Promise<Outcome> {
  const { content, type, isSignedAnew } = message
  if (content.kind === 'malformed') return refuse({ because: 'form', ...content })
  await lockReceived(tx, message)
  const earlier = await findEarlier(tx, message)
  if (earlier === 'same time' && isSignedAnew) return refuse({ because: 'replay' })
  if (earlier) return { state: 'duplicate' }
  if (content.kind !== 'result') return { state: 'recorded', kind: content.kind, type }
  const { result } = content
  return applyResult(tx, ctx, { result, saidAt: result.resultAt ?? (await firstSeen(tx, message)), at })
}

function toReceivedOutcome({ signature }: Message, outcome: Outcome): ReceivedOutcome {
  const { state } = outcome
  if (state !== 'refused') return { state, note: describeOutcome(outcome), signature, httpStatus: 200 }
  const { refusal } = outcome
  return {
    state,
    note: describeRefusal(refusal),
    signature: refusal.because === 'replay' ? 'replayed' : signature,
    httpStatus: refusalError(refusal).status,
  }
}
