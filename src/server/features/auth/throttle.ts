import { sql } from 'drizzle-orm'
import type { Database, Tx } from '#server/db/client.ts'
import { readSite, readNetwork } from '#server/http/client-address.ts'
import { AppError } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { Ctx } from '#server/core/context.ts'
import { isKnownDevice } from './devices.ts'

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

/** One counter of failures. `lockSeconds` is how long this failure locks it, 0 for not at all. */
interface CounterRule {
  key: string
  windowSeconds: number
  lockSeconds: (failures: number, windowLeft: number) => number
}

export const failuresBeforeLock = 5
export const accountLimit = 50
export const addressLimit = 30
export const siteLimit = 60
export const refusedKeyLimit = 30
const longestLock = 15 * 60

/** The counter of an admin's account, however the name is written. */
export const accountCounter = (adminId: string) => `account:#${adminId}`

/**
 * The counter of a name that no admin has, as the database folds it. Only a digest, because a password may have been
 * typed into the wrong field.
 */
export const unknownNameCounter = (foldedName: string) => `account:${sha256(foldedName).toString('base64url')}`

/** One account from one network: locks for 1 second after five failures, doubling to 15 minutes. */
const placeRule = (account: string, place: string): CounterRule => ({
  key: `${account}:${place}`,
  windowSeconds: 24 * 3600,
  lockSeconds: (failures) =>
    failures < failuresBeforeLock ? 0 : Math.min(longestLock, 2 ** Math.min(20, failures - failuresBeforeLock)),
})
const limitRule = (key: string, limit: number, windowSeconds: number): CounterRule => ({
  key,
  windowSeconds,
  lockSeconds: (failures, windowLeft) => (failures < limit ? 0 : windowLeft),
})

export interface Attempt {
  keys: { place: string; account: string; address: string; site: string }
  /** Failures in the present window, if this attempt fails too. 0 where they are not counted. */
  failures: { place: number; account: number; address: number; site: number }
}

interface AttemptSource {
  /** As `accountCounter` or `unknownNameCounter` names it. */
  account: string
  network: string
  /** Digest of the device cookie, if it proves an earlier sign-in to this account. */
  knownDevice: string | undefined
}

/**
 * Counts an attempt as failed before the password is verified, so that parallel guesses cannot pass a limit. Success
 * takes it back. A known device has its own counter and no other limit, so that others cannot lock its owner out.
 * Throws too_many_requests, without counting, while a lock holds.
 */
export async function countAttempt(
  database: Database,
  { account, network, knownDevice }: AttemptSource,
): Promise<Attempt> {
  const place = placeRule(account, knownDevice ? `device:${knownDevice}` : `from:${network}`)
  const accountWide = limitRule(account, accountLimit, 3600)
  const address = limitRule(`address:${network}`, addressLimit, 60)
  const site = limitRule(`site:${readSite(network)}`, siteLimit, 60)
  const sites = readSite(network) === null ? [] : [site]
  const rules = knownDevice ? [place] : [place, accountWide, address, ...sites]
  const failures = await database.transaction((tx) => countFailures(tx, rules, 'failed sign-ins'))
  return {
    keys: { place: place.key, account: accountWide.key, address: address.key, site: site.key },
    failures: {
      place: failures.get(place.key) ?? 0,
      account: failures.get(accountWide.key) ?? 0,
      address: failures.get(address.key) ?? 0,
      site: failures.get(site.key) ?? 0,
    },
  }
}

/**
 * Counts a platform call with a wrong key, by its network, or by the name of a key that ended. Returns the number in
 * the present minute. Throws too_many_requests from the limit on, naming the `calls`. Calls with valid keys are never
 * counted here, so nobody can lock the platform out.
 */
export async function countRefusedKey(tx: Tx, counter: string, calls: string): Promise<number> {
  const rule = limitRule(`platform-key:${counter}`, refusedKeyLimit, 60)
  return (await countFailures(tx, [rule], calls)).get(rule.key) ?? 0
}

/** Counts what a network begins at the provider. Throws too_many_requests from 30 a minute on. */
export async function countProviderSignIn(tx: Tx, network: string): Promise<void> {
  await countFailures(tx, [limitRule(`oidc:${network}`, addressLimit, 60)], 'sign-ins')
}

interface Counter {
  [column: string]: unknown
  key: string
  failures: number
  window_age: number
  locked_for: number | null
}

async function countFailures(tx: Tx, rules: CounterRule[], what: string): Promise<Map<string, number>> {
  const keys = sql`unnest(${sql.param(rules.map((rule) => rule.key))}::text[])`
  // Every transaction locks the counters in the same order. The time is the database's, after the wait.
  const { rows } = await tx.execute<Counter>(sql`
    INSERT INTO sign_in_throttles AS t (key, failures) SELECT key, 0 FROM ${keys} AS key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET failures = t.failures
    RETURNING key, failures, extract(epoch FROM clock_timestamp() - window_started_at)::float8 AS window_age,
      extract(epoch FROM locked_until - clock_timestamp())::float8 AS locked_for`)
  const wait = Math.max(...rows.map((row) => row.locked_for ?? 0))
  if (wait > 0) throw tooManyError(wait, what)
  const counted = rules.map((rule) => {
    const row = rows.find(({ key }) => key === rule.key)
    const isOver = !row || row.window_age >= rule.windowSeconds
    const failures = isOver ? 1 : row.failures + 1
    const windowLeft = isOver ? rule.windowSeconds : rule.windowSeconds - row.window_age
    return { key: rule.key, failures, lockSeconds: rule.lockSeconds(failures, windowLeft) }
  })
  for (const { key, failures, lockSeconds } of counted)
    await tx.execute(sql`
      UPDATE sign_in_throttles SET failures = ${failures},
        window_started_at = CASE WHEN ${failures}::int = 1 THEN clock_timestamp() ELSE window_started_at END,
        locked_until = CASE WHEN ${lockSeconds}::float8 > 0
          THEN clock_timestamp() + make_interval(secs => ${lockSeconds}::float8) END
      WHERE key = ${key}`)
  return new Map(counted.map(({ key, failures }) => [key, failures]))
}

function tooManyError(seconds: number, what: string) {
  const whole = Math.ceil(seconds)
  const span = whole < 120 ? `${whole} second${whole === 1 ? '' : 's'}` : `${Math.ceil(whole / 60)} minutes`
  return new AppError('too_many_requests', `Too many ${what}. Try again in ${span}.`, { retryAfter: whole })
}

/** Takes back a sign-in that succeeded: resets the account's counters, and uncounts it from its address and site. */
export async function forgetAttempt(tx: Tx, { keys, failures }: Attempt): Promise<void> {
  await tx.execute(sql`
    DELETE FROM sign_in_throttles WHERE key IN (
      SELECT key FROM sign_in_throttles WHERE key IN (${keys.account}, ${keys.place}) ORDER BY key FOR UPDATE)`)
  const counted = [
    { key: keys.address, count: failures.address, limit: addressLimit },
    { key: keys.site, count: failures.site, limit: siteLimit },
  ]
  for (const { key, limit } of counted.filter(({ count }) => count > 0))
    await tx.execute(sql`
      UPDATE sign_in_throttles SET failures = greatest(failures - 1, 0),
        locked_until = CASE WHEN failures > ${limit} THEN locked_until END
      WHERE key = ${key}`)
}

/**
 * Takes back one attempt alone: the failures before it stay counted, and the locks of those after it stay. For a right
 * password whose sign-in waits for a second factor.
 */
export async function uncountAttempt(tx: Tx, { keys, failures }: Attempt): Promise<void> {
  const counted = [
    { key: keys.account, count: failures.account },
    { key: keys.address, count: failures.address },
    { key: keys.site, count: failures.site },
    { key: keys.place, count: failures.place },
  ]
  for (const { key, count } of counted.filter(({ count }) => count > 0).toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    await tx.execute(sql`
      UPDATE sign_in_throttles SET failures = greatest(failures - 1, 0),
        locked_until = CASE WHEN failures > ${count} THEN locked_until END
      WHERE key = ${key}`)
}

/** Removes all locks of an account. */
export async function clearThrottle(tx: Tx, adminId: string): Promise<void> {
  const account = accountCounter(adminId)
  await tx.execute(sql`DELETE FROM sign_in_throttles WHERE key = ${account} OR starts_with(key, ${`${account}:`})`)
}
