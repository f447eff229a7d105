import type { FastifyBaseLogger } from 'fastify'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { readUrl } from '#server/db/connection.ts'
import { connectPool } from '#server/db/client.ts'
import { prepareRoles } from '#server/db/embedded/roles.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { readOwnAccount } from '#server/db/own-server.ts'
import { requireSessions } from '#server/db/pooler.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import type { DatabaseOwner } from '#server/features/backups/service.ts'

export interface RestoreBase {
  /** With the rights of the owner. */
  services: Services
  owner: DatabaseOwner
  close(): Promise<void>
}

/** Opens what a restore needs: a database as it is, which nothing migrates yet, and a document store. */
export async function openRestoreBase(
  config: Config,
  log: FastifyBaseLogger,
  say: (line: string) => void,
): Promise<RestoreBase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, say })
  try {
    const owner = await findOwner(config, embedded)
    const database = connectPool(owner.connection, (error) =>
      log.warn({ err: error }, 'an idle database connection broke'),
    )
    const services: Services = {
      config,
      database,
      log,
      documents: openDocumentStore(config),
      chain: createChainAccess(config),
      kycProvider: createKycProvider(config),
      platformEndpoint: createPlatformEndpoint(config),
      metrics: createMetrics(),
    }
    const close = async () => {
      await database.close()
      await embedded?.stop()
    }
    return { services, owner, close }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function findOwner(
  { databaseUrl, databaseDirectUrl, databaseOwnerUrl }: Config,
  embedded: EmbeddedPostgres | undefined,
): Promise<DatabaseOwner> {
  if (embedded) {
    const { owner, server } = await prepareRoles(embedded.connection)
    return { connection: owner, setting: 'DATABASE_URL', grantTo: server.user }
  }
  // Past a pooler: a restore sets what holds for its sessions.
  const setting = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const server = readUrl((databaseDirectUrl ?? databaseUrl)!)
  await requireSessions(server, setting)
  if (databaseOwnerUrl === undefined) return { connection: server, setting, grantTo: undefined }
  const owner = readUrl(databaseOwnerUrl)
  const { account } = await readOwnAccount(server, owner)
  await requireSessions(owner, 'DATABASE_OWNER_URL')
  return { connection: owner, setting: 'DATABASE_OWNER_URL', grantTo: account }
}
