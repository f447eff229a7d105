import type { Ctx } from '#server/context.ts'
import { deferBlocked, releaseTaken, takeDue, type Taken } from './queue.ts'
import { type Ended, recordTries } from './record.ts'

/** While tries are under way, what has fallen due meanwhile is looked for this often. */
const lookAgainMs = 1000

interface Options {
  /** Posts under way at once, of one server. */
  atOnce?: number
  pauses?: readonly number[]
}

/**
 * Sends what is due to the platform, until nothing is; answers how many tries it made. Any number of servers may do it at
 * once. When `stop` says so, tries under way are given up and fall due again. Tries that end while others are written
 * down are written down together, so that a quick endpoint is not slowed by one commit an event.
 */
export async function sendDueEvents(ctx: Ctx, stop: AbortSignal, options: Options = {}): Promise<number> {
  const { atOnce = 16, pauses } = options
  if (ctx.platformEndpoint.host === null) return 0
  const failing = new AbortController()
  const signal = AbortSignal.any([stop, failing.signal])
  const underWay = new Set<Promise<void>>()
  const ended: Ended[] = []
  const givenUp: Taken[] = []
  const problems: unknown[] = []
  let wake: (() => void) | undefined
  let tried = 0

  function begin(event: Taken) {
    const turn = ctx.platformEndpoint
      .send(event, signal)
      .then(
        (outcome) => void ended.push({ event, outcome }),
        (error: unknown) => {
          givenUp.push(event)
          if (signal.aborted) return
          problems.push(error)
          failing.abort()
        },
      )
      .finally(() => {
        underWay.delete(turn)
        wake?.()
      })
    underWay.add(turn)
  }
  async function settle() {
    const batch = ended.splice(0)
    if (batch.length > 0) await recordTries(ctx, batch, pauses)
    tried += batch.length
  }
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookAgainMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  try {
    while (!signal.aborted) {
      await settle()
      const taken = underWay.size < atOnce ? await takeDue(ctx, atOnce - underWay.size) : []
      for (const event of taken) begin(event)
      if (underWay.size === 0 && ended.length === 0) break
      if (ended.length === 0) await nextEnd()
    }
  } finally {
    failing.abort()
    await Promise.all(underWay)
    await settle()
    if (givenUp.length > 0) await releaseTaken(ctx, givenUp)
  }
  if (problems.length > 0) throw problems[0]
  if (!stop.aborted) await deferBlocked(ctx)
  return tried
}
