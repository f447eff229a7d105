import type { TryOutcome } from '#server/adapters/signed-post.ts'
import type { Ctx } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Tx } from '#server/db/client.ts'
import type { FinishedTry } from './channel.ts'

/** The outcome of a message that somebody wrote into the table, or changed there. It is never sent. */
export const forgedOutcome: TryOutcome = {
  success: false,
  errorMessage: 'Not sent: the console did not write this message',
  httpStatus: null,
  latencyMs: null,
  responseExcerpt: null,
  isForged: true,
}

/** Reports messages that the console did not write. Call this last in the transaction, because servers wait here. */
export async function reportForged(tx: Tx, ctx: Ctx, forged: readonly FinishedTry[]): Promise<void> {
  const last = forged.at(-1)?.message
  if (!last) return
  const { id, channel, messageId, type, entityType, entityId } = last
  await countSecurityEvent<{ count: number }>(tx, ctx, {
    type: 'message_forged',
    severity: 'critical',
    by: { channel },
    describe(present) {
      const count = (present?.count ?? 0) + forged.length
      const what = `${type} of ${entityType} ${entityId} (row ${id})`
      const description =
        count === 1
          ? `A message stood in the queue that the console did not write, and was not sent: ${what}`
          : `${count} messages stood in the queue that the console did not write, and were not sent; the last: ${what}`
      return { description, details: { count, rowId: id, messageId, entityType, entityId } }
    },
  })
}
