import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod/mini'
import type { KycResultTaken } from '#contract/platform-api.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, conflict } from '#server/errors.ts'
import { applyWord, type Settled } from './apply.ts'
import { readMessage, type Message } from './message.ts'
import { countRefusal, findEarlier, lockMessage, writeReceipt, type Outcome } from './receipts.ts'

export { asMessage } from './message.ts'

type Taken = z.infer<typeof KycResultTaken>

/**
 * Takes an answer of the KYC provider (PRODUCT section 4): its signature is judged, then the message once, whatever it
 * says; each is a row of the log. Throws unauthorized for a signature that is missing, wrong or of another time; conflict
 * for a message that is played again and for a case of another id; invalid and not_found.
 */
export async function receiveResult(ctx: Ctx, given: { headers: IncomingHttpHeaders; body: Buffer }): Promise<Taken> {
  const begun = performance.now()
  const message = await readMessage(ctx, given.headers, given.body, new Date())
  return takeMessage(ctx, message, { begun })
}

/** Takes a message that is judged, in the provider's name. `at`: when it came, where that is not now. */
export async function takeMessage(
  asking: Ctx,
  message: Message,
  { begun = performance.now(), at }: { begun?: number; at?: string } = {},
): Promise<Taken> {
  const ctx: Ctx = { ...asking, actor: { kind: 'system', name: 'KYC provider' } }
  const settled = await inTransaction(ctx, async (tx) => {
    const settled = message.signature === 'valid' ? await settle(tx, ctx, message, at) : refuseSignature(message)
    const outcome = asOutcome(message, settled)
    const { signature } = outcome
    if (signature === 'valid' || (await countRefusal(tx, ctx, signature)))
      await writeReceipt(tx, ctx, message, outcome, { latencyMs: Math.round(performance.now() - begun), at })
    return settled
  })
  if ('error' in settled) throw settled.error
  return { outcome: settled.state, note: settled.note }
}

/** A refusal is an answer here too: its row has to stand. */
interface Refused {
  error: AppError
  isReplayed?: true
}
type Judged = Settled | { state: 'recorded' | 'duplicate'; note: string } | Refused

const why: Record<Message['signature'], string> = {
  missing: 'it is missing',
  invalid: 'it is not by a secret that this console knows',
  stale: 'its time is more than 5 minutes from now',
  replayed: 'it was taken before',
  valid: '',
}

const refuseSignature = ({ signature }: Message): Refused => ({
  error: new AppError('unauthorized', `Unauthorized: the signature is refused, ${why[signature]}`),
})

async function settle(tx: Tx, ctx: Ctx, message: Message, at: string | undefined): Promise<Judged> {
  const { word, problem, sentAt, type, isSandbox } = message
  if (problem !== null || sentAt === null)
    return { error: new AppError('invalid', problem ?? 'The message has no time') }
  await lockMessage(tx, message)
  const earlier = await findEarlier(tx, message)
  if (earlier === 'replayed')
    return { error: conflict('This very message was taken before: sign it anew to send it again'), isReplayed: true }
  if (earlier) return { state: 'duplicate', note: 'This message was taken before; nothing was changed' }
  if (!word) {
    const what = isSandbox ? 'comes from the provider’s sandbox' : 'says nothing of a review'
    return { state: 'recorded', note: `${type} ${what}; nothing was changed` }
  }
  try {
    return await applyWord(tx, ctx, { word, sentAt, at })
  } catch (error) {
    // It refuses before it writes, so that the transaction may go on.
    if (error instanceof AppError) return { error }
    throw error
  }
}

function asOutcome({ signature }: Message, settled: Judged): Outcome {
  if ('error' in settled) {
    const { error, isReplayed } = settled
    return {
      signature: isReplayed ? 'replayed' : signature,
      state: 'refused',
      // The prefix is for whoever asked; the row has its status beside it.
      note: error.message.replace(/^Unauthorized: t/, 'T'),
      httpStatus: error.status,
    }
  }
  return { ...settled, signature, httpStatus: 200 }
}
