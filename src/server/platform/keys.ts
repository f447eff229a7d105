import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { raiseSecurityEvent } from '#server/audit.ts'
import type { Actor, Services } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { networkOf, plainAddress } from '#server/features/auth/network.ts'
import { countRefusedKey, refusedKeyLimit } from '#server/features/auth/throttle.ts'
import { sha256 } from '#server/hash.ts'

/**
 * The platform behind `Authorization: Bearer <key>`. Throws unauthorized, and too_many_requests for a network that has
 * sent too many wrong keys in a minute.
 */
export async function authenticatePlatform(services: Services, request: FastifyRequest): Promise<Actor> {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const { platformApiKey } = services.config
  if (given && platformApiKey && timingSafeEqual(sha256(given), sha256(platformApiKey)))
    return { kind: 'platform', name: 'PLATFORM_API_KEY' }
  if (given) await recordRefusal(services, plainAddress(request.ip))
  throw new AppError('unauthorized', 'Unauthorized: a valid platform key is needed')
}

/** One event a network and minute, and one at its limit: a flood of wrong keys must not flood the log. */
const recordRefusal = ({ database }: Services, ipAddress: string) =>
  database.transaction(async (tx) => {
    const refused = await countRefusedKey(tx, networkOf(ipAddress))
    if (refused === 1)
      await raiseSecurityEvent(
        tx,
        { ipAddress },
        {
          severity: 'high',
          type: 'platform_key_refused',
          description: 'Platform calls come with a key that is not valid',
        },
      )
    if (refused === refusedKeyLimit)
      await raiseSecurityEvent(
        tx,
        { ipAddress },
        {
          severity: 'medium',
          type: 'rate_limit_hit',
          description: `An address reached the limit of ${refusedKeyLimit} wrong platform keys a minute`,
        },
      )
  })
