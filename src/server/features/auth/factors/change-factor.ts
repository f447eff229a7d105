import { and, eq } from 'drizzle-orm'
import { factorLabels } from '#contract/factors.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { adminFactors } from '#server/db/tables/factors.ts'
import { lockAdminById } from '#server/features/auth/admins.ts'
import { endSessionsOf } from '#server/features/auth/sessions.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { factorColumns } from './list.ts'
import { hasFactor } from './methods.ts'
import { dropRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

const isOwn = (adminId: string, id: string) => and(eq(adminFactors.adminId, adminId), eq(adminFactors.id, id))

/** Locks the signed-in admin, so that his factors change one after the other. Throws not_found. */
async function lockFactor(tx: Tx, adminId: string, id: string): Promise<Factor> {
  await lockAdminById(tx, adminId)
  const [factor] = await tx.select(factorColumns).from(adminFactors).where(isOwn(adminId, id))
  if (!factor) throw notFound('Factor')
  return factor
}

/** Throws not_found. */
export async function renameFactor(ctx: Ctx, id: string, given: { name: string }): Promise<Factor> {
  const { id: adminId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    const before = await lockFactor(tx, adminId, id)
    const name = given.name.trim()
    if (name === before.name) return before
    await tx.update(adminFactors).set({ name }).where(isOwn(adminId, id))
    const details = { factorId: id, kind: before.kind, before: { name: before.name }, after: { name } }
    await audit(tx, ctx, { action: 'rename_factor', target: { type: 'admin', id: adminId }, details })
    return { ...before, name }
  })
}

/**
 * Removes a factor and ends the admin's other sessions; with the last one the recovery codes go too. Throws not_found,
 * and last_factor where one is required.
 */
export async function removeFactor(ctx: Ctx, id: string): Promise<Factor> {
  const { id: adminId, name: username, sessionId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    const factor = await lockFactor(tx, adminId, id)
    const isLast = (await tx.$count(adminFactors, eq(adminFactors.adminId, adminId))) === 1
    if (isLast && ctx.config.isMfaRequired)
      throw new AppError('last_factor', 'This is the last factor, and one is required here; add another first')
    await tx.delete(adminFactors).where(isOwn(adminId, id))
    if (isLast) await dropRecoveryCodes(tx, adminId)
    const endedSessions = await endSessionsOf(tx, adminId, 'factors_changed', sessionId)
    const { kind, name } = factor
    const details = { factorId: id, kind, name, isLast, endedSessions }
    await audit(tx, ctx, { action: 'remove_factor', target: { type: 'admin', id: adminId }, details })
    await raiseSecurityEvent(tx, ctx, {
      severity: isLast ? 'high' : 'medium',
      type: 'factor_removed',
      description: `${username} removed ${isLast ? 'the last' : 'a'} second factor: ${factorLabels[kind]}`,
      details: { username, kind, name, endedSessions: endedSessions.length },
    })
    return factor
  })
}

/** Replaces the recovery codes of the signed-in admin. Throws no_factor. */
export async function createRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const { id, name: username } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockAdminById(tx, id)
    if (!(await hasFactor(tx, id)))
      throw new AppError('no_factor', 'Recovery codes stand in for a factor; add one first')
    const codes = await replaceRecoveryCodes(tx, id)
    await audit(tx, ctx, { action: 'create_recovery_codes', target: { type: 'admin', id }, details: { username } })
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'recovery_codes_made',
      description: `${username} made new recovery codes`,
      details: { username },
    })
    return codes
  })
}

/** Takes an admin's factors and recovery codes away and ends the sessions. Returns what there was: nothing ends where that is empty. */
export async function dropFactors(tx: Tx, adminId: string) {
  const factors = await tx
    .delete(adminFactors)
    .where(eq(adminFactors.adminId, adminId))
    .returning({ kind: adminFactors.kind, name: adminFactors.name })
  if (factors.length === 0) return { factors, endedSessions: [] }
  await dropRecoveryCodes(tx, adminId)
  return { factors, endedSessions: await endSessionsOf(tx, adminId, 'factors_reset') }
}
