import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '#server/process/log.ts'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { readConfig } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { fillDemo } from '#demo/platform/fill.ts'
import { auditKey, documentsKey } from '#test/support/console-process.ts'
import { clockSettings, setDatabaseClock } from '#test/support/run-clock.ts'

/** Two templates that every worker's console clones: the demo platform, and a console in which nothing has happened. */
export default async function setup() {
  const dataDir = await mkdtemp(join(tmpdir(), 'back-office-e2e-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    say: () => {},
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      ...clockSettings,
    },
  })
  const maintenance = new pg.Client(postgres.connection)
  await maintenance.connect()
  for (const name of ['template_empty', 'template_demo']) {
    await maintenance.query(`CREATE DATABASE ${name}`)
    await setDatabaseClock({ ...postgres.connection, database: name })
    await migrateDatabase({ ...postgres.connection, database: name })
  }
  await maintenance.end()
  const database = connectPool({ ...postgres.connection, database: 'template_demo' }, () => {})
  // Without a chain of its own, which every console would build again.
  const config = readConfig({ DATA_DIR: dataDir, AUDIT_KEY: auditKey, DOCUMENTS_KEY: documentsKey, CHAIN_MODE: 'off' })
  const services = {
    config,
    database,
    documents: openDocumentStore(config),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
    metrics: createMetrics(),
    log: createLog('silent'),
  }
  await fillDemo(services, () => {})
  await database.close()
  process.env.E2E_POSTGRES = JSON.stringify(postgres.connection)
  process.env.E2E_DATA_DIR = dataDir
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
