import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Channel, Destination, FinishedTry, LeasedMessage } from './channel.ts'
import { deferBlocked, releaseMessages, leaseDue } from './queue.ts'
import { recordTries } from './record-tries.ts'

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
  const failing = new AbortController()
  const signal = AbortSignal.any([stop, failing.signal])
  const underWay = new Map<Promise<void>, string | null>()
  const ended: FinishedTry[] = []
  const givenUp: LeasedMessage[] = []
  const problems: unknown[] = []
  let wake: (() => void) | undefined
  let tried = 0

  function start(message: LeasedMessage, { send }: Destination) {
    const turn = send(message, signal)
      .then(
        (outcome) => void ended.push({ message, outcome }),
        (error: unknown) => {
          givenUp.push(message)
          if (signal.aborted) return
          problems.push(error)
          failing.abort()
        },
      )
      .finally(() => {
        underWay.delete(turn)
        wake?.()
      })
    underWay.set(turn, message.endpointId)
  }
  async function recordFinished() {
    const batch = ended.splice(0)
    if (batch.length > 0) await inTransaction(ctx, (tx) => recordTries(tx, ctx, channel, batch, { pauses }))
    tried += batch.length
  }
  /** Reads the destinations each time, because endpoints are added, changed and paused meanwhile. */
  async function lease() {
    const busy = Map.groupBy(underWay.values(), (endpointId) => endpointId)
    const destinations = await channel.connect(ctx)
    const capacity = destinations
      .map(({ endpointId }) => ({ endpointId, most: atOnce - (busy.get(endpointId)?.length ?? 0) }))
      .filter(({ most }) => most > 0)
    const taken = capacity.length > 0 ? await leaseDue(ctx, channel, capacity) : []
    return taken.map((message) => ({
      message,
      to: destinations.find(({ endpointId }) => endpointId === message.endpointId)!,
    }))
  }
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  try {
    while (!signal.aborted) {
      await recordFinished()
      for (const { message, to } of await lease()) start(message, to)
      if (underWay.size === 0 && ended.length === 0) break
      if (ended.length === 0) await nextEnd()
    }
  } finally {
    failing.abort()
    await Promise.all(underWay.keys())
    await recordFinished()
    if (givenUp.length > 0) await releaseMessages(ctx, givenUp)
  }
  if (problems.length > 0) throw problems[0]
  const idle = (await channel.connect(ctx)).map(({ endpointId }) => ({ endpointId, most: atOnce }))
  if (!stop.aborted) await deferBlocked(ctx, channel, idle)
  return tried
}
