import { eventBody } from '#server/adapters/platform-endpoint.ts'
import { hour, minute } from '#server/lib/retry-pause.ts'
import type { Channel } from './channel.ts'
import { tellDeadLetters } from './dead-letters.ts'
import { pauseEndpoint, pauseSetting } from './endpoint.ts'

/** Seconds, as Standard Webhooks has them; after the tenth try an event is given up. */
export const standardPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Events to the investment platform, in order per entity (product 10.4). */
export const platformEvents: Channel = {
  name: 'platform',
  everySeconds: 1,
  atOnce: 16,
  pauses: standardPauses,
  longestPause: 24 * hour,
  pauseSetting,
  renewsId: false,
  isClosed: () => 'false',
  lists: ['deliveries'],
  connect: async ({ platformEndpoint }) => {
    if (platformEndpoint.host === null) return null
    return (message, signal) => platformEndpoint.send(message, signal)
  },
  showBody: async (_ctx, message) => eventBody(message),
  async settle(tx, ctx, _ended, counted) {
    if (counted.some(({ isGone }) => isGone)) await pauseEndpoint(tx, ctx)
    await tellDeadLetters(
      tx,
      ctx,
      counted.filter(({ state }) => state === 'failed'),
    )
  },
}
