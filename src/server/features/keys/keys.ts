import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { asc, eq, sql } from 'drizzle-orm'
import { maxHistoryDays, standardScopes, type Scope } from '#contract/scopes.ts'
import { audit } from '#server/core/audit.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { platformKeys } from '#server/db/tables/platform.ts'
import { AppError, invalidField, describeSetter, sqlState } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import { stateText, type KeyState } from './find-key.ts'

const example = 'such as 203.0.113.0/24, 203.0.113.7 or 2001:db8::/48'

/** Throws invalid for what is not a network or address. The database also refuses a network with bits of a host. */
async function requireNetworks(tx: Tx, networks: readonly string[]): Promise<void> {
  if (networks.length === 0) throw invalidField('from', `must name one network at least, ${example}`)
  // Addresses of calls are compared in their usual form, so a network of this form would never match.
  const mapped = networks.find((network) => /^::ffff:/i.test(network))
  if (mapped !== undefined) throw invalidField('from', `"${mapped}" must be written as an IPv4 network`)
  const form = /^([^/]+)(\/\d{1,3})?$/
  for (const network of networks)
    if (isIP(form.exec(network)?.[1] ?? '') === 0 || !(await isNetwork(tx, network)))
      throw invalidField('from', `"${network}" is not a network, ${example}`)
}

/** In a transaction of its own within, which alone fails. PostgreSQL 15 has no function that tells. */
const isNetwork = (tx: Tx, text: string) =>
  tx
    .transaction((inner) => inner.execute(sql`SELECT ${text}::cidr`))
    .then(
      () => true,
      (error: unknown) => {
        if (sqlState(error) === '22P02') return false
        throw error
      },
    )

/** The actor name of the key from the settings. No key made by command may have it. */
export const settingKeyName = 'PLATFORM_API_KEY'
/** The key from the settings has no row with a rate. */
export const settingCallsPerSecond = 200
export const defaultCallsPerSecond = 50
export const maxCallsPerSecond = 10_000

/** 32 random bytes. The prefix identifies the key to people and to scanners for leaked secrets. */
const generateKey = () => `bok_${randomBytes(32).toString('base64url')}`

function requireName(name: string) {
  if (!/^[A-Za-z0-9][A-Za-z0-9\-_.]{0,63}$/.test(name))
    throw invalidField('name', 'must be 1 to 64 of letters, digits and - _ . and begin with a letter or digit')
  if (name.toUpperCase() === settingKeyName)
    throw invalidField('name', `${settingKeyName} is the name of the key that is a setting; choose another`)
}

function requireRate(callsPerSecond: number) {
  if (!Number.isInteger(callsPerSecond) || callsPerSecond < 1 || callsPerSecond > maxCallsPerSecond)
    throw invalidField('rate', `must be a whole number of calls a second, 1 to ${maxCallsPerSecond}`)
}

/** A key to create. */
export interface NewKey {
  name: string
  /** Without an end it is valid until it is revoked, or for `maxHistoryDays` with the scope `history`. */
  expiresAt?: string | undefined
  expiresInDays?: number | undefined
  callsPerSecond?: number | undefined
  /** Absent: `standardScopes`. */
  scopes?: readonly Scope[] | undefined
  /** The networks that it may be used from. Absent: from anywhere. */
  allowedFrom?: readonly string[] | undefined
}

/** The end of a key by the database's clock, which all servers and commands share. Null: it never ends. */
async function readEnd(tx: Tx, { expiresAt, expiresInDays, scopes }: NewKey): Promise<string | null> {
  const isHistory = scopes?.includes('history') ?? false
  const days = expiresInDays ?? (isHistory && expiresAt === undefined ? maxHistoryDays : null)
  const { rows } = await tx.execute<{ at: string | null; isFuture: boolean; isSoon: boolean }>(sql`
    SELECT ends.at::text AS at, ends.at > now() AS "isFuture", ends.at <= now() + ${maxHistoryDays * 24} * interval '1 hour' AS "isSoon"
    FROM (SELECT coalesce(${expiresAt ?? null}::timestamptz, now() + ${days}::int * interval '24 hours') AS at) ends`)
  const { at, isFuture, isSoon } = rows[0]!
  if (at !== null && !isFuture) throw invalidField('expires', 'must be in the future')
  if (isHistory && !isSoon)
    throw invalidField('expires', `must be at most ${maxHistoryDays} days away for a key with the scope history`)
  return at && toInstant(at)
}

/** A key that was created, to show once. */
export interface CreatedKey {
  key: string
  expiresAt: string | null
  scopes: readonly Scope[]
}

/**
 * Creates a platform key and returns it, once. Throws invalid for a value out of range, and CommandError for a name
 * that any key ever had, in any case: `platform:<name>` in audit rows means one key for ever.
 */
export async function createKey(ctx: Ctx, wanted: NewKey): Promise<CreatedKey> {
  const { name, callsPerSecond = defaultCallsPerSecond, scopes = standardScopes, allowedFrom = null } = wanted
  requireName(name)
  requireRate(callsPerSecond)
  if (scopes.length === 0) throw invalidField('scope', 'must name one scope at least')
  const key = generateKey()
  const hint = key.slice(-4)
  return inTransaction(ctx, async (tx) => {
    if (allowedFrom) await requireNetworks(tx, allowedFrom)
    const expiresAt = await readEnd(tx, wanted)
    const made = await tx
      .insert(platformKeys)
      .values({
        name,
        keyHash: sha256(key),
        hint,
        callsPerSecond,
        scopes: [...new Set(scopes)],
        allowedFrom: allowedFrom && [...allowedFrom],
        createdBy: ctx.actor.name,
        expiresAt,
      })
      .onConflictDoNothing()
      .returning({ id: platformKeys.id })
    if (made.length === 0)
      throw new CommandError(
        `A platform key was named ${name} before; a name is used once, whatever its capitals, also when revoked`,
      )
    const details = { endsIn: hint, callsPerSecond, scopes, allowedFrom, expiresAt }
    await audit(tx, ctx, { action: 'create_key', target: { type: 'platform_key', id: name }, details })
    return { key, expiresAt, scopes }
  })
}

/** All keys ever made, by name. Never contains the keys themselves. */
export const listKeys = ({ database }: Ctx) =>
  database.db
    .select({
      name: platformKeys.name,
      hint: platformKeys.hint,
      callsPerSecond: platformKeys.callsPerSecond,
      scopes: platformKeys.scopes,
      allowedFrom: platformKeys.allowedFrom,
      createdAt: platformKeys.createdAt,
      createdBy: platformKeys.createdBy,
      expiresAt: platformKeys.expiresAt,
      revokedAt: platformKeys.revokedAt,
      lastUsedAt: platformKeys.lastUsedAt,
      lastUsedFrom: platformKeys.lastUsedFrom,
      state: sql<KeyState>`${sql.raw(stateText)}`,
    })
    .from(platformKeys)
    .orderBy(asc(sql`lower(${platformKeys.name})`), asc(platformKeys.name))

/** Revokes a key for all servers, from the next call. Throws not_found, and CommandError if it is revoked already. */
export async function revokeKey(ctx: Ctx, name: string): Promise<void> {
  if (name.toUpperCase() === settingKeyName)
    throw new CommandError(`${settingKeyName} is a setting: take it away there and start the console again`)
  await inTransaction(ctx, async (tx) => {
    const [found] = await tx
      .select()
      .from(platformKeys)
      .where(eq(sql`lower(${platformKeys.name})`, name.toLowerCase()))
      .for('update')
    if (!found) throw new AppError('not_found', `No platform key is named ${name}`)
    if (found.revokedAt)
      throw new CommandError(describeSetter(`The platform key ${found.name} is already revoked`, null, found.revokedAt))
    await tx
      .update(platformKeys)
      .set({ revokedAt: sql`now()` })
      .where(eq(platformKeys.id, found.id))
    const details = { endsIn: found.hint, before: { revoked: false }, after: { revoked: true } }
    await audit(tx, ctx, { action: 'revoke_key', target: { type: 'platform_key', id: found.name }, details })
  })
}
