import type { FastifyBaseLogger } from 'fastify'
import { can, type Permission, type Role, type Roles } from '#contract/permissions.ts'
import type { Scope } from '#contract/scopes.ts'
import type { ChainAccess } from '#server/adapters/chain-access.ts'
import type { DocumentStore } from '#server/adapters/document-store.ts'
import type { KycProvider } from '#server/adapters/kyc-provider.ts'
import type { PlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import type { AuditEntry } from './audit.ts'
import type { Config } from './config.ts'
import type { Metrics } from '#server/metrics/metrics.ts'
import type { EmbeddedPostgres } from '#server/db/embedded/start.ts'
import type { Database, Tx } from '#server/db/client.ts'
import type { Reads } from '#server/db/reads.ts'
import type { Pace } from '#server/lib/pace.ts'

/** Who acts. The name appears in audit rows and in refusals of a second move. */
export type Actor =
  | { kind: 'admin'; id: string; name: string; sessionId: string; role: Role }
  | { kind: 'platform'; name: string; scopes: readonly Scope[] }
  | { kind: 'system' | 'command'; name: string }

/** What all routes, jobs and commands share. One per process. */
export interface Services {
  config: Config
  database: Database
  documents: DocumentStore
  chain: ChainAccess
  kycProvider: KycProvider
  platformEndpoint: PlatformEndpoint
  /** The embedded database, where this process has one. */
  embedded?: Pick<EmbeddedPostgres, 'connection' | 'spool'>
  /** The minimum pace of imports and uploads, if not the default. */
  importPace?: Pace
  uploadPace?: Pace
  /** Starts the timer at whose end a batch is written, if not `setTimeout`. */
  startBatchTimer?: (write: () => void, ms: number) => NodeJS.Timeout
  /** The instant that codes of authenticator apps are judged at, in seconds since 1970, if not the database's clock. */
  readCodeTime?: () => Promise<number>
  /** The permissions of each role, if not the contract's table. */
  roles?: Roles
  log: FastifyBaseLogger
  metrics: Metrics
}

/** What services get: the shared services, and who calls from where. */
export interface Ctx extends Services {
  actor: Actor
  ipAddress: string | null
  requestId: string | null
  /** For lists and searches. In a GET they end with the request. */
  reads: Reads
  /** When the change is made. Default: now, by the database's clock. */
  at?: string
  /** A dry run writes no audit rows and sends nothing. */
  isDryRun?: true
  /** The transaction of an approval, of a request for one, or of a row of a bulk job, in which the change is made. */
  tx?: Tx
  /** Who has approved what the actor requested. Audit rows name it. */
  approval?: { id: string; approvedBy: string }
  /** The bulk job of which the change is a row. Audit rows name it. */
  bulkJob?: string
  /** Gets each audit entry of the change as well. */
  onAudit?: (entry: AuditEntry) => void
}

/** The signed-in admin. Only for calls that need a session. */
export function adminOf(ctx: Ctx) {
  if (ctx.actor.kind !== 'admin') throw new Error('this call needs a signed-in admin')
  return ctx.actor
}

/** Whether the signed-in admin has a permission, for replies that hold more for those who have it. */
export const hasPermission = ({ actor, roles }: Ctx, permission: Permission): boolean =>
  actor.kind === 'admin' && can(actor, permission, roles)

/** Whether the signed-in admin may view what needs this permission. Null: what any admin may view. */
export const mayView = (ctx: Ctx, permission: Permission | null): boolean =>
  permission === null || hasPermission(ctx, permission)

/** The context of a job, a command or the platform. */
export function contextFor(
  services: Services,
  actor: Actor,
  from: Partial<Pick<Ctx, 'ipAddress' | 'requestId'>> = {},
): Ctx {
  const { ipAddress = null, requestId = null } = from
  return { ...services, actor, ipAddress, requestId, reads: services.database.pool }
}

/** Runs one change. Either everything written in it is stored, or nothing. Within an approval or a bulk job it is a part of that transaction. */
export const inTransaction = <T>({ tx, database }: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> =>
  tx ? tx.transaction(work) : database.transaction(work)
