import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { raiseSecurityEvent } from '#server/audit.ts'
import type { Actor, Services } from '#server/context.ts'
import { AppError } from '#server/errors.ts'

const digest = (value: string) => createHash('sha256').update(value).digest()

/** The platform behind `Authorization: Bearer <key>`; a wrong key is 401 and a security event. */
export async function authenticatePlatform(services: Services, request: FastifyRequest): Promise<Actor> {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const { platformApiKey } = services.config
  if (given && platformApiKey && timingSafeEqual(digest(given), digest(platformApiKey)))
    return { kind: 'platform', name: 'PLATFORM_API_KEY' }
  if (given)
    await services.database.transaction((tx) =>
      raiseSecurityEvent(
        tx,
        { ipAddress: request.ip },
        {
          severity: 'high',
          type: 'platform_key_refused',
          description: 'A platform call came with a key that is not valid',
        },
      ),
    )
  throw new AppError('unauthorized', 'Unauthorized: a valid platform key is needed')
}
