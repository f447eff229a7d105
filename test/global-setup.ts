import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareRoles, serverRole } from '#server/db/embedded/roles.ts'
import { linkLibraries } from '#server/db/embedded/binaries.ts'
import { serverSettings } from '#server/db/embedded/server-settings.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { clockSettings, setDatabaseClock } from './support/run-clock.ts'
import { startSystemPostgres } from './support/system-postgres.ts'

export const templateName = 'template_test'

/** A PostgreSQL of the tests. */
export interface Cluster {
  /** A superuser. */
  postgres: { host: string; port: number; user: string; password: string; database: string }
  /** The account that a console runs with. */
  serverAccount: { user: string; password: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker, see `findCluster`. */
    clusters: Cluster[]
  }
}

/** A real PostgreSQL for each worker, with a migrated template database that every test file clones. */
export default async function setup(project: TestProject) {
  const workers = project.vitest.config.maxWorkers
  const hasRunClock = project.name === 'rules'
  const started = await Promise.all(Array.from({ length: workers }, () => startCluster(hasRunClock)))
  project.provide(
    'clusters',
    started.map(({ cluster }) => cluster),
  )
  return async () => {
    await Promise.all(started.map((cluster) => cluster.stop()))
  }
}

async function startCluster(hasRunClock: boolean) {
  // Nothing here outlives the run, so speed comes before durability; the durability tests start their own server.
  const postgres = await startPostgres({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    ...(hasRunClock && clockSettings),
  })
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${templateName}`)
  await admin.end()
  if (hasRunClock) await setDatabaseClock({ ...postgres.connection, database: templateName })
  const { owner, server } = await prepareRoles({ ...postgres.connection, database: templateName })
  await migrateDatabase(owner, { grantTo: server.user })
  await letServerUseTablesOfTests({ ...postgres.connection, database: templateName })
  return {
    cluster: { postgres: postgres.connection, serverAccount: { user: server.user, password: server.password } },
    stop: () => postgres.stop(),
  }
}

/** The embedded PostgreSQL, or an older one in the folder that TEST_POSTGRES names (`npm run verify:postgres`). */
async function startPostgres(settings: Record<string, string>) {
  const native = process.env.TEST_POSTGRES
  if (native) {
    linkLibraries(native)
    const all = { ...serverSettings(), ...settings }
    const server = await startSystemPostgres(join(native, 'bin'), all, { asksPassword: true })
    const connection = { host: '127.0.0.1', port: server.port, user: 'postgres', password: 'any', database: 'postgres' }
    return { connection, stop: async () => server.stop() }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-test-'))
  const embedded = await startEmbeddedPostgres({ dataDir, say: () => {}, settings })
  return {
    connection: embedded.connection,
    async stop() {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Tests make tables as the superuser. */
async function letServerUseTablesOfTests(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO ${serverRole}`)
  await client.end()
}
