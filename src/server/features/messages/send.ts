import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Channel, Destination, FinishedTry, LeasedMessage } from './channel.ts'
import { deferBlocked, releaseMessages, leaseDue } from './queue.ts'
import { recordTries } from './record-tries.ts'

/** While tries are under way, what has fallen due meanwhile is looked for this often. */
const pollMs = 1000

interface SendOptions {
  /** In place of the channel's own. */
  atOnce?: number
  pauses?: readonly number[]
}

/**
 * Sends what is due of a channel, until nothing is; answers how many tries it made. Each destination has its own posts at
 * once, so that a slow one holds no other up. Any number of servers may do it at once. When `stop` says so, tries under way are given up and fall due again. Tries that end while others are written
 * down are written down together, so that a quick endpoint is not slowed by one commit a message.
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
  /** Where to and how is asked each time: endpoints are added, changed and paused meanwhile. */
  async function lease() {
    const busy = Map.groupBy(underWay.values(), (endpointId) => endpointId)
    const destinations = await channel.connect(ctx)
    const room = destinations
      .map(({ endpointId }) => ({ endpointId, most: atOnce - (busy.get(endpointId)?.length ?? 0) }))
      .filter(({ most }) => most > 0)
    const taken = room.length > 0 ? await leaseDue(ctx, channel, room) : []
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
