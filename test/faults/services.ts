import type pg from 'pg'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { openDocumentStore } from '#server/adapters/document-store.ts'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { scopes } from '#contract/scopes.ts'
import { readConfig } from '#server/core/config.ts'
import { createMetrics } from '#server/metrics/metrics.ts'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { createAdmin } from '#server/features/auth/admins.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { createLog } from '#server/process/log.ts'
import { keepPasswords } from '#test/support/own-passwords.ts'

const password = 'seven grey herons at noon'

/** The services of a console, without a console. Close `database` afterwards. */
export function openServices(connection: pg.PoolConfig, environment: Record<string, string>): Services {
  const config = readConfig(environment)
  return {
    config,
    database: connectPool(connection, () => {}),
    documents: openDocumentStore(config),
    chain: createChainAccess(config),
    kycProvider: createKycProvider(config),
    platformEndpoint: createPlatformEndpoint(config),
    metrics: createMetrics(),
    log: createLog('silent'),
  }
}

/** Makes the operators, and a platform key with all rights, which it returns. */
export async function addCallers(services: Services, usernames: string[]): Promise<string> {
  const ctx = contextFor(services, { kind: 'system', name: 'faults' })
  for (const username of usernames) await createAdmin(ctx, username, password)
  await keepPasswords(services)
  const { key } = await createKey(ctx, { name: 'faults', scopes, callsPerSecond: maxCallsPerSecond })
  return key
}
