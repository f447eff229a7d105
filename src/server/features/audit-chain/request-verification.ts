import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { AuditVerifying } from '#contract/schemas/security.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'

/** Stands in the database until a server has verified the log for it. */
export interface VerificationRequest {
  id: string
  at: string
  by: string
}

const requestName = 'audit_verification_request'
/** How far the verification is that runs. One of a server that died is not shown, as nobody holds the lock. */
export const progressName = 'audit_verification_progress'
/** Consoles fetch the state again each time. */
const progressEveryMs = 2000

/** Who asks and who has finished wait for each other. */
export const lockRequests = (tx: Tx): Promise<void> => lockInTransaction(tx, 'audit verification')

/** The request that no verification has answered yet. */
export async function readRequest(reads: Pick<pg.Pool, 'query'>): Promise<VerificationRequest | undefined> {
  const { rows } = await reads.query<{ value: VerificationRequest }>({
    name: 'audit_verification_request',
    text: 'SELECT value FROM settings WHERE name = $1',
    values: [requestName],
  })
  return rows[0]?.value
}

/**
 * Asks for a verification of the whole log, which a server begins within a second. Joins a request that is not answered
 * yet, no matter who made it.
 */
export const requestVerification = (ctx: Ctx): Promise<{ message: string; verifying: AuditVerifying }> =>
  inTransaction(ctx, async (tx) => {
    await lockRequests(tx)
    const [found] = await tx.select({ value: settings.value }).from(settings).where(eq(settings.name, requestName))
    const present = found?.value as VerificationRequest | undefined
    const request = present ?? { id: randomUUID(), at: new Date().toISOString(), by: ctx.actor.name }
    const verifying = { requestedAt: request.at, requestedBy: request.by, progress: null }
    if (present) return { message: `${request.by} has asked for a verification already, which is not over`, verifying }
    await tx.insert(settings).values({ name: requestName, value: request })
    await audit(tx, ctx, { action: 'verify_audit' })
    await announce(tx, 'security')
    return { message: 'The audit log is verified now', verifying }
  })

/** Ends a request that was answered. A later one stays. */
export async function endRequest(tx: Tx, { id }: VerificationRequest): Promise<void> {
  await tx.delete(settings).where(and(eq(settings.name, requestName), sql`${settings.value}->>'id' = ${id}`))
}

/** Returns a function that notes how far a verification is, the first time and then every two seconds. */
export function writeProgress(ctx: Ctx) {
  let last = -Infinity
  return async (rows: number, of: number): Promise<void> => {
    if (performance.now() - last < progressEveryMs) return
    last = performance.now()
    const value = { rows, of }
    await inTransaction(ctx, async (tx) => {
      await tx
        .insert(settings)
        .values({ name: progressName, value })
        .onConflictDoUpdate({ target: settings.name, set: { value } })
      await announce(tx, 'security')
    })
  }
}
