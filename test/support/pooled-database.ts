import pg from 'pg'
import { connectPool, type Database } from '#server/db/client.ts'
import { sessionSettings, timeouts } from '#server/db/connection.ts'
import { findPgBouncer } from './cluster.ts'

/** What a role must have for a pooler, as statements for one database. */
export const listRoleSettings = (database: string) =>
  [...Object.entries(sessionSettings), ...Object.entries(timeouts)].map(
    ([name, value]) =>
      `ALTER DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${pg.escapeLiteral(String(value))}`,
  )

/**
 * The database of a console of the tests. `TEST_POOLER` puts what a pooler does before it. `discard`: each use of a pooled connection
 * finds it as if it were new, everywhere. `pgbouncer`: the real one, in transaction mode, which the tests of `verify:pooler` have.
 */
export async function connectForTests(account: pg.ClientConfig, maintenance: pg.Client): Promise<Database> {
  const pooler = process.env.TEST_POOLER
  if (!pooler) return connectPool(account, () => {})
  for (const statement of listRoleSettings(account.database!)) await maintenance.query(statement)
  const pooled = { ...account, isPooled: true, hasNamedStatements: false }
  if (pooler === 'pgbouncer') return connectPool({ ...pooled, ...findPgBouncer() }, () => {}, { direct: account })
  const database = connectPool(pooled, () => {}, { direct: account })
  database.pool.on('release', (failure, client) => {
    if (!failure) void client.query('DISCARD ALL').catch(() => {})
  })
  return database
}
