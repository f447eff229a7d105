import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareRoles, serverRole } from '#server/db/embedded/roles.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { isPgBouncerHere, startPgBouncer } from './support/pgbouncer.ts'

export const templateName = 'template_test'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser. */
    postgres: { host: string; port: number; user: string; password: string; database: string }
    /** The account that a console runs with. */
    serverAccount: { user: string; password: string }
    /** PgBouncer before it in transaction mode, where it is installed. */
    pgbouncer: { host: string; port: number } | undefined
  }
}

/** One real PostgreSQL for the whole run, with a migrated template database that every test file clones. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    say: () => {},
    // Nothing here outlives the run, so speed comes before durability; the durability tests start their own server.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${templateName}`)
  await admin.end()
  const { owner, server } = await prepareRoles({ ...postgres.connection, database: templateName })
  await migrateDatabase(owner, { grantTo: server.user })
  await letServerUseTablesOfTests({ ...postgres.connection, database: templateName })
  project.provide('postgres', postgres.connection)
  project.provide('serverAccount', { user: server.user, password: server.password })
  const account = { ...postgres.connection, user: server.user, password: server.password }
  const bouncer = isPgBouncerHere
    ? await startPgBouncer(account, { database: postgres.connection.database })
    : undefined
  project.provide('pgbouncer', bouncer && { host: bouncer.host, port: bouncer.port })
  return async () => {
    await bouncer?.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tests make tables as the superuser. */
async function letServerUseTablesOfTests(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO ${serverRole}`)
  await client.end()
}
