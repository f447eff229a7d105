import { sql } from 'drizzle-orm'
import type { Scope } from '#contract/scopes.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { sha256 } from '#server/lib/hash.ts'

export type KeyState = 'valid' | 'expired' | 'revoked'

/** SQL: the present state of a row of `platform_keys`, by the database's clock. */
export const stateText = `CASE WHEN platform_keys.revoked_at IS NOT NULL THEN 'revoked'
  WHEN platform_keys.expires_at <= now() THEN 'expired' ELSE 'valid' END`

export interface PlatformKey {
  name: string
  callsPerSecond: number
  scopes: readonly Scope[]
  /** Whether it may be used from the address of this call. */
  isAllowedFrom: boolean
  state: KeyState
  /** When it stopped or will stop being valid. Null for a key that never expires. */
  endsAt: string | null
}

const isAllowedFrom = `(allowed_from IS NULL OR coalesce($3::inet <<= ANY (allowed_from), false))`

// The name lets PostgreSQL plan it once, because it runs before every platform call. Nothing is cached, so a revoked
// key fails at the next call. Records the last use once a minute, and skips a locked row, so it never waits.
const findStatement = {
  name: 'find_platform_key',
  text: `
    WITH noted AS (
      UPDATE platform_keys SET last_used_at = now(), last_used_from = $2 WHERE id = (
        SELECT id FROM platform_keys WHERE key_hash = $1 AND ${stateText} = 'valid' AND ${isAllowedFrom}
          AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
        FOR NO KEY UPDATE SKIP LOCKED))
    SELECT name, calls_per_second AS "callsPerSecond", scopes, ${isAllowedFrom} AS "isAllowedFrom", ${stateText} AS state,
      coalesce(revoked_at, expires_at)::text AS "endsAt"
    FROM platform_keys WHERE key_hash = $1`,
}

/**
 * The key that was sent, in any state. Null for an unknown key. Records when and from where it was last used, unless it
 * may not be used from there.
 */
export async function findKey({ pool }: Database, key: string, ipAddress: string): Promise<PlatformKey | null> {
  // PostgreSQL knows no zone of an address, such as `%eth0`.
  const address = ipAddress.split('%')[0] || null
  const { rows } = await pool.query<PlatformKey>({ ...findStatement, values: [sha256(key), ipAddress, address] })
  const [found] = rows
  return found ? { ...found, endsAt: found.endsAt && toInstant(found.endsAt) } : null
}

/** Whether a key made by command is still valid, in a transaction that writes in its name. */
export async function isValidKey(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await tx.execute<{ state: KeyState }>(
    sql`SELECT ${sql.raw(stateText)} AS state FROM platform_keys WHERE name = ${name}`,
  )
  return rows[0]?.state === 'valid'
}
