import pg from 'pg'
import { standardScopes } from '#contract/scopes.ts'
import { sha256 } from '#server/lib/hash.ts'

export const key = 'a-platform-key-for-measuring-only-0123456789'

/** A key without a limit. */
export async function addKey(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `INSERT INTO platform_keys (name, key_hash, hint, calls_per_second, scopes, created_by)
     VALUES ('bench', $1, '6789', 10000, $2, 'bench')`,
    [sha256(key), standardScopes],
  )
  await client.end()
}
