import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { createFolderStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { makeFolder, explainFileErrors } from '#server/db/embedded/folders.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

export interface ServerBase {
  services: Services
  /** Closes the pool, then the embedded database where this process started one. */
  close(): Promise<void>
}

/** Opens what server, commands and jobs need: a migrated database and a document store. `say` informs the operator. */
export async function openServerBase(
  config: Config,
  log: FastifyBaseLogger,
  say: (line: string) => void,
): Promise<ServerBase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, say })
  const connection: pg.ClientConfig = embedded?.connection ?? { connectionString: config.databaseUrl! }
  try {
    await migrateDatabase(connection)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const database = connectPool(connection, (error) => log.warn({ err: error }, 'an idle database connection broke'))
  const services: Services = {
    config,
    database,
    log,
    documents: createFolderStore(join(config.dataDir, 'documents')),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
  }
  return {
    services,
    async close() {
      await database.close()
      await embedded?.stop()
    },
  }
}

/** Documents are stored in DATA_DIR with any database. Throws StartError if that folder is not writable. */
export function requireDocumentsFolder({ dataDir }: Config): void {
  const folder = join(dataDir, 'documents')
  makeFolder(folder, 0o700)
  explainFileErrors(folder, () => accessSync(folder, constants.W_OK | constants.X_OK))
}
