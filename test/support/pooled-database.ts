import pg from 'pg'
import { inject } from 'vitest'
import { connectPool, type Database } from '#server/db/client.ts'
import { sessionSettings, timeouts } from '#server/db/connection.ts'

/** What a role must have for a pooler, as statements for one database. */
export const listRoleSettings = (database: string) =>
  [...Object.entries(sessionSettings), ...Object.entries(timeouts)].map(
    ([name, value]) =>
      `ALTER DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${pg.escapeLiteral(String(value))}`,
  )

/**
 * The database of a console of the tests. `TEST_POOLER` puts what a pooler does before it. `discard`: each use of a pooled connection
 * finds it as if it were new, everywhere. `pgbouncer`: the real one, in transaction mode, where it is installed.
 */
export async function connectForTests(account: pg.ClientConfig, maintenance: pg.Client): Promise<Database> {
  const pooler = process.env.TEST_POOLER
  if (!pooler) return connectPool(account, () => {})
  for (const statement of listRoleSettings(account.database!)) await maintenance.query(statement)
  const pooled = { ...account, isPooled: true, hasNamedStatements: false }
  if (pooler === 'pgbouncer') {
    const bouncer = inject('pgbouncer')
    if (!bouncer) throw new Error('TEST_POOLER=pgbouncer needs PgBouncer installed')
    return connectPool({ ...pooled, ...bouncer }, () => {}, { direct: account })
  }
  const database = connectPool(pooled, () => {}, { direct: account })
  database.pool.on('release', (failure, client) => {
    if (!failure) void client.query('DISCARD ALL').catch(() => {})
  })
  return database
}
