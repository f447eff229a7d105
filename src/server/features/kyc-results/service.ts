import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod/mini'
import type { KycResultTaken } from '#contract/schemas/platform-api.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, conflict } from '#server/lib/errors.ts'
import {
  findEarlier,
  firstSeen,
  lockReceived,
  type ReceivedOutcome,
  recordReceived,
} from '#server/features/messages/service.ts'
import { createGate } from '#server/lib/concurrency-limit.ts'
import { applyWord, type Settled } from './apply.ts'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { judgeMessage, readMessage, type Message } from './message.ts'
import { countRefusal, signatureRefusal } from './refused.ts'

export { asMessage } from './message.ts'
export { requireProvider } from './refused.ts'

type Taken = z.infer<typeof KycResultTaken>

const oneAtATime = createGate(1, 60, 'Too many refused results at once')

interface Times {
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
): Promise<Taken> {
  const begun = performance.now()
  const now = new Date()
  const judged = await judgeMessage(ctx, given.headers, given.body, now)
  if (judged.signature !== 'valid' && !countRefusal(refusals, ctx, judged.signature))
    throw signatureRefusal(judged.signature)
  const message = readMessage(judged, given.headers, given.body, now)
  const { signature } = message
  if (signature === 'valid') return answerOf(await settleMessage(ctx, message, { begun }, refusals))
  // Only of another time as its own words say.
  if (signature !== judged.signature && !countRefusal(refusals, ctx, signature)) throw signatureRefusal(signature)
  const refused = { error: signatureRefusal(signature) }
  // Strangers never hold more than one connection, and are refused as they are whether or not it can be written down.
  await oneAtATime(() => inTransaction(ctx, (tx) => keep(tx, ctx, message, refused, { begun }))).catch(
    (error: unknown) => ctx.log.warn({ err: error }, 'a refused KYC result could not be written down'),
  )
  return answerOf(refused)
}

/** Takes a message that is judged to be valid, in the provider's name. Throws as receiveResult does. */
export const takeMessage = async (ctx: Ctx, message: Message, times: Times): Promise<Taken> =>
  answerOf(await settleMessage(ctx, message, times))

async function settleMessage(asking: Ctx, message: Message, times: Times, refusals?: RefusalTally): Promise<Judged> {
  const ctx: Ctx = { ...asking, actor: { kind: 'system', name: 'KYC provider' } }
  return inTransaction(ctx, async (tx) => {
    const settled = await settle(tx, ctx, message, times.at)
    const isReplayed = 'error' in settled && settled.isReplayed
    if (!isReplayed || !refusals || countRefusal(refusals, ctx, 'replayed'))
      await keep(tx, ctx, message, settled, times)
    return settled
  })
}

function answerOf(settled: Judged): Taken {
  if ('error' in settled) throw settled.error
  return { outcome: settled.state, note: settled.note }
}

/** The row of a message and of what became of it. */
async function keep(tx: Tx, ctx: Ctx, message: Message, settled: Judged, times: Times): Promise<void> {
  const { begun = performance.now(), at } = times
  const latencyMs = Math.round(performance.now() - begun)
  await recordReceived(tx, ctx, message, asOutcome(message, settled), { latencyMs, at })
}

/** A refusal is an answer here too: its row has to stand. */
interface Refused {
  error: AppError
  isReplayed?: true
}
type Judged = Settled | { state: 'recorded' | 'duplicate'; note: string } | Refused

async function settle(tx: Tx, ctx: Ctx, message: Message, at: string | undefined): Promise<Judged> {
  const { word, problem, details, sentAt, type, isSandbox } = message
  if (problem !== null || sentAt === null)
    return { error: new AppError('invalid', problem ?? 'The message has no time', { details }) }
  await lockReceived(tx, message)
  const earlier = await findEarlier(tx, message)
  if (earlier === 'replayed')
    return {
      error: conflict('message_replayed', 'This very message was taken before: sign it anew to send it again'),
      isReplayed: true,
    }
  if (earlier) return { state: 'duplicate', note: 'This message was taken before; nothing was changed' }
  if (!word) {
    const what = isSandbox ? 'comes from the provider’s sandbox' : 'says nothing of a review'
    return { state: 'recorded', note: `${type} ${what}; nothing was changed` }
  }
  try {
    const saidAt = word.resultAt ?? (await firstSeen(tx, message))
    return await applyWord(tx, ctx, { word, saidAt, at })
  } catch (error) {
    // It refuses before it writes, so that the transaction may go on.
    if (error instanceof AppError) return { error }
    throw error
  }
}

function asOutcome({ signature }: Message, settled: Judged): ReceivedOutcome {
  if ('error' in settled) {
    const { error, isReplayed } = settled
    return {
      signature: isReplayed ? 'replayed' : signature,
      state: 'refused',
      // The prefix is for whoever asked; the row has its status beside it.
      note: error.message.replace(/^Unauthorized: (.)/, (_, first: string) => first.toUpperCase()),
      httpStatus: error.status,
    }
  }
  return { ...settled, signature, httpStatus: 200 }
}
