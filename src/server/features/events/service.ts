import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'

/** Sends these events of the outbox again, under their own ids, as soon as may be; answers how many were not under way. */
export async function resendEvents(_tx: Tx, _ctx: Ctx, _ids: readonly string[]): Promise<number> {
  return 0
}
