import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { announce, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Config } from '#server/core/config.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { takeAdvisoryLock, tryAdvisoryLock } from '#server/db/advisory-lock.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { type ChainFault, describeFault } from './faults.ts'
import {
  endRequest,
  lockRequests,
  progressName,
  readRequest,
  type VerificationRequest,
  writeProgress,
} from './request-verification.ts'
import { connectForVerification, type Verification, type VerifyOptions, verifyThrough } from './verify.ts'

/** The whole log is verified this often by one of the servers. */
export const verifyEveryHours = 6
const verificationName = 'audit_verification'
/** Is held by the connection that verifies, and so ends with its server. */
export const verificationLock = 'audit verification under way'

type ListField = 'faults' | 'badEntries'
/** One of an earlier version has its first fault alone. */
export type StoredVerification = Omit<Verification, ListField> & Partial<Pick<Verification, ListField>>

/** The outcome of the last verification. Undefined before the first. */
export async function readVerification({ pool }: Pick<Database, 'pool'>): Promise<StoredVerification | undefined> {
  const { rows } = await pool.query<{ value: StoredVerification }>({
    name: 'audit_verification',
    text: 'SELECT value FROM settings WHERE name = $1',
    values: [verificationName],
  })
  return rows[0]?.value
}

interface Due {
  /** Whether the clock says so, if not by the last verification. */
  isDue?: boolean
  onProgress?: VerifyOptions['onProgress']
}

/** One that the clock asks for and that failed is tried again after so long, since it reads the whole log. */
const retryMs = 600_000
/** By `performance.now()`. */
const failedAt = new WeakMap<Config, number>()

/** Verifies the log if that is due or was asked for. Does nothing while another server verifies it. */
export async function verifyWhenDue(ctx: Ctx, stop: AbortSignal, { isDue, onProgress }: Due = {}): Promise<void> {
  if (!(isDue ?? (await isOld(ctx))) && !(await readRequest(ctx.database.pool))) return
  try {
    await verifyAndReport(ctx, { waits: false, stop, onProgress })
    failedAt.delete(ctx.config)
  } catch (error) {
    if (stop.aborted) return
    failedAt.set(ctx.config, performance.now())
    throw error
  }
}

async function isOld({ config, database }: Ctx): Promise<boolean> {
  if (performance.now() - (failedAt.get(config) ?? -Infinity) < retryMs) return false
  const last = await readVerification(database)
  const age = last && Date.now() - Date.parse(last.at)
  // One in the future was verified while the clock was wrong, and would hold off the next for as long.
  return age === undefined || age < 0 || age >= verifyEveryHours * 3600 * 1000
}

/** Takes the lock of who verifies, or says that another one has it. */
export async function takeVerificationLock(client: pg.Client, { waits }: { waits: boolean }): Promise<boolean> {
  if (!waits) return tryAdvisoryLock(client, verificationLock)
  await takeAdvisoryLock(client, verificationLock)
  return true
}

interface ReportOptions extends VerifyOptions {
  /** Waits for a verification that runs. Without it nothing is done, and undefined returned. */
  waits: boolean
}

/** Verifies the log, keeps the outcome, and raises a critical event for a fault that no open one names. */
export async function verifyAndReport(ctx: Ctx): Promise<Verification>
export async function verifyAndReport(ctx: Ctx, options: ReportOptions & { waits: true }): Promise<Verification>
export async function verifyAndReport(ctx: Ctx, options: ReportOptions): Promise<Verification | undefined>
export async function verifyAndReport(
  ctx: Ctx,
  { waits, ...options }: ReportOptions = { waits: true },
): Promise<Verification | undefined> {
  const client = await connectForVerification(ctx)
  try {
    if (!(await takeVerificationLock(client, { waits }))) return undefined
    // One that comes later is about rows that this snapshot may not have.
    const request = await readRequest(ctx.database.pool)
    return await verifyFor(ctx, client, request, options)
  } finally {
    await client.end()
  }
}

async function verifyFor(
  ctx: Ctx,
  client: pg.Client,
  request: VerificationRequest | undefined,
  options: VerifyOptions,
): Promise<Verification> {
  const write = writeProgress(ctx)
  try {
    const verification = await verifyThrough(client, ctx, {
      ...options,
      onProgress: async (rows, of) => {
        await write(rows, of)
        await options.onProgress?.(rows, of)
      },
    })
    await inTransaction(ctx, (tx) => saveOutcome(tx, ctx, verification, request))
    return verification
  } catch (error) {
    // A server that stops leaves it to the next one. What fails would fail again at once.
    if (request && !options.stop?.aborted) await inTransaction(ctx, (tx) => dropRequest(tx, request))
    throw error
  }
}

async function saveOutcome(
  tx: Tx,
  ctx: Ctx,
  verification: Verification,
  request: VerificationRequest | undefined,
): Promise<void> {
  await lockRequests(tx)
  await tx
    .insert(settings)
    .values({ name: verificationName, value: verification })
    .onConflictDoUpdate({ target: settings.name, set: { value: verification } })
  await tx.delete(settings).where(sql`${settings.name} = ${progressName}`)
  if (request) await endRequest(tx, request)
  if (verification.fault) await reportFault(tx, ctx, verification.fault)
  await announce(tx, 'security')
}

async function dropRequest(tx: Tx, request: VerificationRequest): Promise<void> {
  await lockRequests(tx)
  await endRequest(tx, request)
  await announce(tx, 'security')
}

async function reportFault(tx: Tx, ctx: Ctx, fault: ChainFault): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT id::text FROM security_events WHERE event_type = 'audit_altered' AND resolved_at IS NULL
      AND details @> ${JSON.stringify({ seq: fault.seq, kind: fault.kind })}::jsonb`)
  if (rows.length > 0) return
  await raiseSecurityEvent(tx, ctx, {
    severity: 'critical',
    type: 'audit_altered',
    description: `The audit log is not what was sealed. ${describeFault(fault)}`,
    details: { ...fault },
  })
}
