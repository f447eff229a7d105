import type { Ctx } from '#server/core/context.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { sha256 } from '#server/lib/hash.ts'
import { isKnownDevice } from './devices.ts'
import { accountCounter, countAttempt, type Attempt } from './throttle.ts'

/**
 * Counts an attempt to prove the own identity as a sign-in from this browser is counted, before it is judged. Throws
 * too_many_requests while a lock holds.
 */
export async function countOwnAttempt(
  ctx: Ctx,
  adminId: string,
  deviceToken: string | undefined,
): Promise<{ attempt: Attempt; network: string }> {
  const network = readNetwork(ctx.ipAddress ?? '')
  const isKnown = deviceToken !== undefined && (await isKnownDevice(ctx.database.db, adminId, deviceToken))
  const knownDevice = isKnown ? sha256(deviceToken).toString('base64url') : undefined
  const attempt = await countAttempt(ctx.database, { account: accountCounter(adminId), network, knownDevice })
  return { attempt, network }
}
