import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { ownerRole } from '#server/db/embedded/roles.ts'
import { restoreBackup } from '#server/features/backups/service.ts'
import { openRestoreBase } from '#server/process/restore.ts'
import { openServerBase } from '#server/process/start.ts'
import { checkDatabase } from '#test/faults/check-database.ts'
import { auditKey, buildDatabaseUrl, documentsKey, newDatabaseName } from './console-process.ts'
import { findCluster } from './cluster.ts'

const log = pino({ level: 'silent' })

/** A folder that goes with the test file. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-backups-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function withClient<T>(database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...findCluster().postgres, ...(database && { database }) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs SQL as a superuser on the tests' PostgreSQL. */
export const runSql = <Row extends pg.QueryResultRow>(text: string, database?: string): Promise<Row[]> =>
  withClient(database, async (client) => (await client.query<Row>(text)).rows)

/** What tables of a database say against each other. */
export const findFaults = (database: string): Promise<string[]> => withClient(database, checkDatabase)

/** An empty database, with the setting that names it. */
export async function makeDatabase() {
  const name = newDatabaseName('restored')
  await runSql(`CREATE DATABASE ${name} OWNER ${ownerRole}`)
  return { name, url: buildDatabaseUrl(findCluster().postgres, name) }
}

/** The settings of a console on such a database, or on an embedded one. */
export const buildEnvironment = (url: string | undefined, dataDir: string): Record<string, string> => ({
  ...(url !== undefined && { DATABASE_URL: url }),
  DATA_DIR: dataDir,
  AUDIT_KEY: auditKey,
  DOCUMENTS_KEY: documentsKey,
  SESSION_NETWORK: 'off',
})

interface Restore {
  url?: string
  dataDir: string
  store: ObjectStore
  identities?: string[]
}

/** Restores a backup as the command does. Returns what it said. */
export async function restoreInto({ url, dataDir, store, identities = [] }: Restore) {
  const base = await openRestoreBase(readConfig(buildEnvironment(url, dataDir)), log, () => {})
  const said: string[] = []
  try {
    const ctx = contextFor(base.services, { kind: 'command', name: 'tests' })
    const outcome = await restoreBackup(ctx, base.owner, { store, identities, say: (line) => said.push(line) })
    return { ...outcome, said }
  } finally {
    await base.close()
  }
}

/** A console that starts on such a database, until `work` is done. */
export async function withConsole<T>(
  url: string | undefined,
  dataDir: string,
  work: (tools: Awaited<ReturnType<typeof startConsole>>) => Promise<T>,
): Promise<T> {
  const tools = await startConsole(url, dataDir)
  try {
    return await work(tools)
  } finally {
    await tools.close()
  }
}

async function startConsole(url: string | undefined, dataDir: string) {
  const base = await openServerBase(readConfig(buildEnvironment(url, dataDir)), log, () => {})
  const { services } = base
  const app = await buildApp(services)
  return {
    app,
    services,
    ctx: contextFor(services, { kind: 'command', name: 'tests' }),
    close: async () => {
      await app.close()
      await base.close()
    },
  }
}

const tablesSql = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`

/** The rows of each table, their number and a digest that ignores their order, and the sequences. */
export const readDigests = (database: string): Promise<Record<string, string>> =>
  withClient(database, async (client) => {
    const found: Record<string, string> = {}
    const { rows: tables } = await client.query<{ name: string }>(tablesSql)
    for (const { name } of tables) {
      const text = `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest FROM ${pg.escapeIdentifier(name)} AS t`
      found[name] = (await client.query<{ digest: string }>(text)).rows[0]!.digest
    }
    const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
      `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'`,
    )
    for (const { name, value } of sequences) found[`sequence ${name}`] = value ?? 'unused'
    return found
  })

/** What a schema consists of besides its rows. */
export const readSchema = async (database: string) =>
  (
    await runSql<{ line: string }>(
      `SELECT pg_get_indexdef(indexrelid) AS line FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid
       WHERE t.relnamespace = 'public'::regnamespace
       UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
       ORDER BY 1`,
      database,
    )
  ).map(({ line }) => line)
