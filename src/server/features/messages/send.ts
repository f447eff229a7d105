import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Channel, FinishedTry } from './channel.ts'
import { deferBlocked, releaseMessages, leaseDue } from './queue.ts'
import { recordTries } from './record-tries.ts'
import { TriesUnderWay } from './tries-under-way.ts'

/** During tries, newly due messages are looked for this often. */
const pollMs = 1000

interface SendOptions {
  /** Replaces the channel's limit. */
  atOnce?: number
  pauses?: readonly number[]
}

/**
 * Sends the due messages of a channel until none is left. Returns the number of tries. Each destination has its own limit, so
 * that a slow one delays no other. Several servers may run this at once. `stop` aborts tries under way, which become due
 * again. Tries that end during a write are recorded together, so that a fast endpoint does not need a commit per message.
 */
export async function sendDue(
  ctx: Ctx,
  channel: Channel,
  stop: AbortSignal,
  options: SendOptions = {},
): Promise<number> {
  const { atOnce = channel.atOnce, pauses } = options
  const tries = new TriesUnderWay(stop)
  let tried = 0

  async function recordEnded(batch: FinishedTry[]) {
    if (batch.length > 0) await inTransaction(ctx, (tx) => recordTries(tx, ctx, channel, batch, { pauses }))
    tried += batch.length
    for (const { outcome } of batch)
      ctx.metrics.messageTries.inc({ channel: channel.name, outcome: outcome.success ? 'delivered' : 'failed' })
  }

  try {
    while (!tries.isAborted) {
      await recordEnded(tries.takeEnded())
      await startTries(ctx, channel, tries, atOnce)
      if (tries.isEmpty) break
      await tries.waitForEnd(pollMs)
    }
  } finally {
    await tries.abort()
    await recordEnded(tries.takeEnded())
    if (tries.givenUp.length > 0) await releaseMessages(ctx, tries.givenUp)
  }
  if (tries.problems.length > 0) throw tries.problems[0]
  const idle = (await channel.connect(ctx)).map(({ endpointId }) => ({ endpointId, most: atOnce }))
  if (!stop.aborted) await deferBlocked(ctx, channel, idle)
  return tried
}

/**
 * Leases due messages, as many as each destination may still be sent at once, and starts a try of each. Reads the
 * destinations each time, because endpoints are added, changed and paused meanwhile.
 */
async function startTries(ctx: Ctx, channel: Channel, tries: TriesUnderWay, atOnce: number) {
  const busy = tries.countByEndpoint()
  const destinations = await channel.connect(ctx)
  const capacity = destinations
    .map(({ endpointId }) => ({ endpointId, most: atOnce - (busy.get(endpointId) ?? 0) }))
    .filter(({ most }) => most > 0)
  const leased = capacity.length > 0 ? await leaseDue(ctx, channel, capacity) : []
  for (const message of leased)
    tries.start(
      message,
      destinations.find(({ endpointId }) => endpointId === message.endpointId)!,
    )
}
