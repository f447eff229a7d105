import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod/mini'
import type { KycResult, KycResultTaken } from '#contract/schemas/platform-api.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import {
  findEarlier,
  readFirstArrival,
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

/** The source of messages in the console's own form, in the log. */
export const ownSource = standard.name

const limitRefused = createLimiter(1, 60, 'Too many refused results at once')

const signatureRefusal = (signature: RefusedSignature): Refusal => ({ because: 'signature', signature })

/**
 * Receives a result of the KYC provider (product 11.2). Checks the signature in memory, then processes the message
 * once. Each message is a row of the log, as far as there is room for refused ones. Throws unauthorized for a missing,
 * wrong or expired signature, message_replayed, case_mismatch, invalid and not_found.
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
  if (signature === 'valid') return toReply(await settleMessage(ctx, message, begun, refusals))
  const refusal = refuse(signatureRefusal(signature))
  // The signature is valid, only the time in the message is not.
  if (signature !== judged.signature && !countRefusal(refusals, ctx, signature)) return toReply(refusal)
  // Refused messages use at most one connection, and are refused even if their row cannot be written.
  await limitRefused(() => inTransaction(ctx, (tx) => recordMessage(tx, ctx, message, refusal, begun))).catch(
    (error: unknown) => ctx.log.warn({ err: error }, 'a refused KYC result could not be written down'),
  )
  return toReply(refusal)
}

/** Applies the provider's result of `sentAt` as its signed message would. Throws like receiveResult. */
export async function takeResult(ctx: Ctx, given: KycResult, id: string, sentAt: string): Promise<void> {
  toReply(await settleMessage({ ...ctx, at: sentAt }, toMessage(standard, toReading(given, id, sentAt))))
}

async function settleMessage(asking: Ctx, message: Message, begun?: number, refusals?: RefusalTally): Promise<Outcome> {
  const ctx: Ctx = { ...asking, actor: { kind: 'system', name: 'KYC provider' } }
  return inTransaction(ctx, async (tx) => {
    const outcome = await decideOutcome(tx, ctx, message)
    if (!isReplay(outcome) || !refusals || countRefusal(refusals, ctx, 'replayed'))
      await recordMessage(tx, ctx, message, outcome, begun)
    return outcome
  })
}

const isReplay = (outcome: Outcome) => outcome.state === 'refused' && outcome.refusal.because === 'replay'

/** Throws the error of a refused message. */
function toReply(outcome: Outcome): z.infer<typeof KycResultTaken> {
  if (outcome.state === 'refused') throw refusalError(outcome.refusal)
  return { outcome: outcome.state, note: describeOutcome(outcome) }
}

/** Writes the row of a message and its outcome, under the case that it belongs to. `begun` is when reading began, by `performance.now()`. */
async function recordMessage(
  tx: Tx,
  ctx: Ctx,
  message: Message,
  outcome: Outcome,
  begun = performance.now(),
): Promise<void> {
  const latencyMs = Math.round(performance.now() - begun)
  const named = 'of' in outcome ? outcome.of : message.named
  await recordReceived(tx, ctx, { ...message, named }, toReceivedOutcome(message, outcome), latencyMs)
}

async function decideOutcome(tx: Tx, ctx: Ctx, message: Message): Promise<Outcome> {
  const { content, type, isSignedAnew } = message
  if (content.kind === 'malformed') return refuse({ because: 'form', ...content })
  await lockReceived(tx, message)
  const earlier = await findEarlier(tx, message)
  if (earlier === 'same time' && isSignedAnew) return refuse({ because: 'replay' })
  if (earlier) return { state: 'duplicate' }
  if (content.kind !== 'result') return { state: 'recorded', kind: content.kind, type }
  const { result } = content
  return applyResult(tx, ctx, { result, saidAt: result.resultAt ?? (await readFirstArrival(tx, message)) })
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
