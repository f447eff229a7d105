import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import type { Config } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import type { Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Connection, readUrl } from '#server/db/connection.ts'
import { makeFolder, explainFileErrors } from '#server/db/embedded/folders.ts'
import { prepareRoles } from '#server/db/embedded/roles.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase, type MigrateOptions } from '#server/db/migrate.ts'
import { readOwnAccount } from '#server/db/own-server.ts'
import { requireNamedStatements, requirePooledSettings, requireSamePlace, requireSessions } from '#server/db/pooler.ts'
import { withStandby } from '#server/db/standby.ts'
import { waitForDatabase } from '#server/db/wait-for-database.ts'
import { readAccount } from '#server/db/rights.ts'
import { adoptKeys } from '#server/features/audit-chain/service.ts'
import { adoptDocumentKeys, claimStore } from '#server/features/documents/service.ts'

export interface ServerBase {
  services: Services
  /** The account that owns the tables, for what the server's own may not do. */
  owner: pg.ClientConfig
  /** Closes the pool, then the embedded database where this process started one. */
  close(): Promise<void>
}

/**
 * Opens what server, commands and jobs need: a migrated database and a document store. `say` informs the operator.
 * `allowsOtherKey` opens a database too that was signed with keys that are not here.
 */
export async function openServerBase(
  config: Config,
  log: FastifyBaseLogger,
  say: (line: string) => void,
  { allowsOtherKey = false } = {},
): Promise<ServerBase> {
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, say, isArchiving: config.backups.archive !== undefined })
  let accounts: DatabaseAccounts
  try {
    const waiting: MigrateOptions = { say, waitSeconds: config.migrationWaitSeconds }
    accounts = await (embedded ? migrateEmbedded(embedded.connection, waiting) : migrateOwn(config, waiting))
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const onPoolError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const primary = connectPool(accounts.server, onPoolError, { direct: accounts.direct })
  const database = config.databaseReadUrl
    ? withStandby(primary, connectPool({ ...readUrl(config.databaseReadUrl), max: 5 }, onPoolError), {
        onLeftOut: (reason) => log.warn({ reason }, 'DATABASE_READ_URL is left out for half a minute'),
      })
    : primary
  const services: Services = {
    config,
    database,
    log,
    documents: openDocumentStore(config),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
    metrics: createMetrics(),
    ...(embedded && { embedded }),
  }
  services.documents.setCheck(() => claimStore(services))
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  if (!allowsOtherKey)
    await adoptAllKeys(services, say).catch(async (error: unknown) => {
      await close()
      throw error
    })
  return { services, close, owner: accounts.owner }
}

async function adoptAllKeys(services: Services, say: (line: string) => void): Promise<void> {
  await adoptKeys(services, say)
  await adoptDocumentKeys(services)
}

/**
 * Throws SettingError where a server would keep its files in another store than others. A store that is away stops no start: its files are 503 until it is
 * back and found to be the right one. Commands check it when they use it, since most need no file and run in any folder.
 */
export async function checkDocumentStore(services: Services): Promise<void> {
  try {
    await services.documents.check()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'store_unavailable')) throw error
    services.log.error(
      { err: error.cause },
      'the document store cannot be reached; documents are not shown until it is back',
    )
  }
}

interface DatabaseAccounts {
  owner: pg.ClientConfig
  server: Connection
  /** The same account past a pooler, if `server` leads to one. */
  direct?: Connection
}

async function migrateEmbedded(
  first: Parameters<typeof prepareRoles>[0],
  waiting: MigrateOptions,
): Promise<DatabaseAccounts> {
  const accounts = await prepareRoles(first)
  await migrateDatabase(accounts.owner, { ...waiting, grantTo: accounts.server.user })
  return accounts
}

/** Migrates the database of DATABASE_URL, past a pooler, with the account of DATABASE_OWNER_URL if there is one. */
async function migrateOwn(config: Config, waiting: MigrateOptions): Promise<DatabaseAccounts> {
  const { databaseOwnerUrl } = config
  const { server, direct } = readAddresses(config)
  const wait = { say: waiting.say ?? (() => {}), seconds: config.databaseWaitSeconds }
  await waitForDatabase(server, { ...wait, setting: 'DATABASE_URL' })
  if (direct) await waitForDatabase(direct, { ...wait, setting: 'DATABASE_DIRECT_URL' })
  if (direct) await requireSamePlace(server, direct)
  const session = direct ?? server
  const setting = direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  await requireSessions(session, setting)
  let owner: Connection = session
  if (databaseOwnerUrl === undefined) await migrateDatabase(session, { ...waiting, setting })
  else {
    owner = readUrl(databaseOwnerUrl)
    const { account } = await readOwnAccount(session, owner)
    await requireSessions(owner, 'DATABASE_OWNER_URL')
    await migrateDatabase(owner, { ...waiting, grantTo: account, setting: 'DATABASE_OWNER_URL' })
  }
  if (!direct) return { owner, server }
  await requirePooledSettings(server)
  await requireNamedStatements(server)
  return { owner, server, direct }
}

function readAddresses({ databaseUrl, databaseDirectUrl, hasNamedStatements }: Config) {
  const server: Connection = { ...readUrl(databaseUrl!), hasNamedStatements }
  if (databaseDirectUrl === undefined) return { server }
  return { server: { ...server, isPooled: true }, direct: readUrl(databaseDirectUrl) }
}

const risks = {
  superuser: 'has the rights of a superuser and can change everything, the audit log too',
  owner: 'owns the tables, so that it can change what is only ever added, the audit log too',
}

/** What the operator should know of the server's database account. Undefined if it has no more rights than it needs. */
export async function describeAccountRisk({ database }: Services): Promise<string | undefined> {
  const { name, level } = await readAccount(database)
  if (level === 'limited') return undefined
  return `The database account "${name}" ${risks[level]}. Give the server one of its own: npm run admin -- db roles`
}

/** Documents are stored in DATA_DIR with any database. Throws StartError if that folder is not writable. */
export function requireDocumentsFolder({ dataDir }: Config): void {
  const folder = join(dataDir, 'documents')
  makeFolder(folder, 0o700)
  explainFileErrors(folder, () => accessSync(folder, constants.W_OK | constants.X_OK))
}
