import type { FastifyBaseLogger } from 'fastify'
import type { Roles } from '#contract/permissions.ts'
import type { ChainAccess } from '#server/adapters/chain-access.ts'
import type { DocumentStore } from '#server/adapters/document-store.ts'
import type { KycProvider } from '#server/adapters/kyc-provider.ts'
import type { PlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import type { Config } from './config.ts'
import type { Database, Tx } from '#server/db/client.ts'
import type { Reads } from '#server/db/reads.ts'
import type { Pace } from '#server/lib/pace.ts'

/** Who acts. Names stand in audit rows and in what a refused second move is told. */
export type Actor =
  | { kind: 'admin'; id: string; name: string; sessionId: string }
  | { kind: 'platform' | 'system' | 'command'; name: string }

/** What every door shares: one per process. */
export interface Services {
  config: Config
  database: Database
  documents: DocumentStore
  chain: ChainAccess
  kycProvider: KycProvider
  platformEndpoint: PlatformEndpoint
  /** How slowly an import and an upload may come in, where not as ever. */
  importPace?: Pace
  uploadPace?: Pace
  /** What each role may do, in place of the contract's table. */
  roles?: Roles
  log: FastifyBaseLogger
}

/** What a service is given: the shared services, and who asks from where. */
export interface Ctx extends Services {
  actor: Actor
  ipAddress: string | null
  requestId: string | null
  /** For lists and searches: in a GET they end with the request. */
  reads: Reads
  /** A dry run: nothing is audited or told to anyone. */
  isDryRun?: true
}

/** The signed-in admin; only calls that need a session come here. */
export function adminOf(ctx: Ctx) {
  if (ctx.actor.kind !== 'admin') throw new Error('this call needs a signed-in admin')
  return ctx.actor
}

/** The context of a job, a command or the platform. */
export function contextFor(
  services: Services,
  actor: Actor,
  from: Partial<Pick<Ctx, 'ipAddress' | 'requestId'>> = {},
): Ctx {
  const { ipAddress = null, requestId = null } = from
  return { ...services, actor, ipAddress, requestId, reads: services.database.pool }
}

/** Runs one change: everything written in it stands, or nothing does. */
export const inTransaction = <T>(ctx: Ctx, work: (tx: Tx) => Promise<T>) => ctx.database.transaction(work)
