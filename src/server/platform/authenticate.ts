import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { standardScopes } from '#contract/scopes.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Actor, Services } from '#server/core/context.ts'
import { AppError, formatInstant } from '#server/lib/errors.ts'
import { clientAddress, readNetwork } from '#server/http/client-address.ts'
import { countRefusedKey, refusedKeyLimit } from '#server/features/auth/service.ts'
import { findKey, type PlatformKey, settingCallsPerSecond, settingKeyName } from '#server/features/keys/service.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { RateLimits } from './rate-limit.ts'

/**
 * Authenticates the platform by `Authorization: Bearer <key>`, before the body is read. Throws unauthorized for any
 * invalid key, network_refused for an address that the key may not be used from, and too_many_requests beyond the key's
 * rate, or after too many refused keys in a minute.
 */
export async function authenticatePlatform(
  services: Services,
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const ipAddress = clientAddress(request)
  const key = given ? await identifyKey(services, given, ipAddress) : null
  if (key?.state !== 'valid') {
    if (given) await recordRefusal(services, ipAddress, key ? endedKeyRefusal(key) : unknownKeyRefusal(ipAddress))
    reply.header('www-authenticate', 'Bearer')
    throw new AppError('unauthorized', 'Unauthorized: a valid platform key is needed')
  }
  if (!key.isAllowedFrom) {
    await recordRefusal(services, ipAddress, networkRefusal(key, ipAddress))
    throw new AppError('network_refused', 'This platform key may not be used from this address')
  }
  await enforceRateLimit(services, limits, key, ipAddress, reply)
  return { kind: 'platform', name: key.name, scopes: key.scopes }
}

const settingKey: PlatformKey = {
  name: settingKeyName,
  callsPerSecond: settingCallsPerSecond,
  scopes: standardScopes,
  isAllowedFrom: true,
  state: 'valid',
  endsAt: null,
}

async function identifyKey(
  { config, database }: Services,
  given: string,
  ipAddress: string,
): Promise<PlatformKey | null> {
  const { platformApiKey } = config
  if (platformApiKey && timingSafeEqual(sha256(given), sha256(platformApiKey))) return settingKey
  return findKey(database, given, ipAddress)
}

/** Every answer says how many calls are left. Beyond the limit it says when to come back. */
async function enforceRateLimit(
  services: Services,
  limits: RateLimits,
  { name, callsPerSecond }: PlatformKey,
  ipAddress: string,
  reply: FastifyReply,
) {
  const taken = limits.take(name, callsPerSecond)
  reply.headers(taken.headers)
  if (taken.isAllowed) return
  const limit = callsPerSecond === 1 ? '1 call a second' : `${callsPerSecond} calls a second`
  if (taken.isFirstRefusal)
    await services.database.transaction((tx) =>
      raiseSecurityEvent(
        tx,
        { ipAddress },
        {
          severity: 'medium',
          type: 'rate_limit_hit',
          description: `The platform key ${name} reached its limit of ${limit}`,
          details: { key: name, callsPerSecond },
        },
      ),
    )
  throw new AppError('too_many_requests', `Too many calls with this platform key: it may make ${limit}`, {
    retryAfter: taken.retryAfter,
  })
}

interface KeyRefusal {
  /** The counter of these refusals. */
  counter: string
  /** The calls, in the words of the refusal for too many. */
  calls: string
  severity: 'high' | 'medium'
  type: string
  description: string
  who: string
  details: Record<string, unknown>
}

const unknownKeyRefusal = (ipAddress: string): KeyRefusal => ({
  counter: readNetwork(ipAddress),
  calls: 'calls with a wrong platform key',
  severity: 'high',
  type: 'platform_key_refused',
  description: 'Platform calls come with a key that is not valid',
  who: 'An address',
  details: {},
})

/** Somebody still has an old key, so this is not a guess. Counted by the key's name, from any address. */
const endedKeyRefusal = ({ name, state, endsAt }: PlatformKey): KeyRefusal => ({
  counter: `ended:${name}`,
  calls: `calls with a platform key that ${state === 'revoked' ? 'was revoked' : 'has expired'}`,
  severity: state === 'revoked' ? 'high' : 'medium',
  type: `${state}_platform_key`,
  description: `Platform calls come with the key ${name}, which ${state === 'revoked' ? 'was revoked' : 'expired'}${endsAt ? ` on ${formatInstant(endsAt)}` : ''}`,
  who: `The ${state} key ${name}`,
  details: { key: name },
})

/** A call with a right key from an address that its owner did not name. Counted by the key's name, from any address. */
const networkRefusal = ({ name }: PlatformKey, ipAddress: string): KeyRefusal => ({
  counter: `network:${name}`,
  calls: 'calls with a platform key from an address that it may not be used from',
  severity: 'high',
  type: 'platform_key_network_refused',
  description: `Platform calls with the key ${name} come from ${ipAddress}, which is in none of its networks`,
  who: `The key ${name}, from outside its networks,`,
  details: { key: name },
})

/** One event per counter and minute, and one at the limit, so that refused keys cannot flood the log. */
async function recordRefusal({ database }: Services, ipAddress: string, refusal: KeyRefusal) {
  const { counter, calls, who, severity, type, description, details } = refusal
  await database.transaction(async (tx) => {
    const refused = await countRefusedKey(tx, counter, calls)
    if (refused === 1) await raiseSecurityEvent(tx, { ipAddress }, { severity, type, description, details })
    if (refused === refusedKeyLimit)
      await raiseSecurityEvent(
        tx,
        { ipAddress },
        {
          severity: 'medium',
          type: 'rate_limit_hit',
          description: `${who} reached the limit of ${refusedKeyLimit} refused platform calls a minute`,
          details,
        },
      )
  })
}
