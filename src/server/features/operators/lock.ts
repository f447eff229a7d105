import { and, asc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import { describeMissing } from '#contract/permission-labels.ts'
import { can, type Role } from '#contract/permissions.ts'
import { RowId } from '#contract/schemas/common.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { hasJoined, hasUsername, isActive } from '#server/features/auth/service.ts'
import { AppError, conflict, notFound } from '#server/lib/errors.ts'

/** An operator by id, as the console names one, or by name, as a command does. */
export type OperatorName = { id: string } | { username: string }

/** `isActive`: can sign in. `hasJoined`: is not merely invited. */
export type LockedOperator = typeof admins.$inferSelect & { isActive: boolean; hasJoined: boolean }

/** Only the database folds names, as at the sign-in. Ids and names never move to another operator. */
async function findId(tx: Tx, name: OperatorName): Promise<string> {
  if ('id' in name) {
    if (!RowId.safeParse(name.id).success) throw notFound('Operator')
    return name.id
  }
  const [found] = await tx.select({ id: admins.id }).from(admins).where(hasUsername(name.username))
  if (!found) throw new AppError('not_found', `No admin is named ${name.username}`)
  return found.id
}

/** An operator who was disabled or demoted since the call began changes nothing any more. */
function requireStillAllowed({ actor, roles }: Ctx, locked: (typeof admins.$inferSelect)[]) {
  if (actor.kind !== 'admin') return
  const present = locked.find(({ id }) => id === actor.id)
  if (!present || present.disabledAt !== null) throw new AppError('unauthorized', 'Unauthorized')
  if (!can(present, 'operators.manage', roles)) throw new AppError('forbidden', describeMissing(['operators.manage']))
}

/**
 * Locks an operator, no matter who makes the change, and every active super admin, always in the same order. So of two
 * who disable each other at once one is first, and the other is refused. Throws not_found, unauthorized and forbidden.
 */
export async function lockOperator(
  tx: Tx,
  ctx: Ctx,
  name: OperatorName,
): Promise<{ operator: LockedOperator; isLastSuperAdmin: boolean }> {
  const id = await findId(tx, name)
  const ids = ctx.actor.kind === 'admin' ? [id, ctx.actor.id] : [id]
  const canSignIn = isActive(ctx.config)
  const isSuperAdmin = and(canSignIn, eq(admins.role, 'super_admin' satisfies Role))
  const locked = await tx
    .select({ ...getTableColumns(admins), isActive: sql<boolean>`${canSignIn}`, hasJoined })
    .from(admins)
    .where(or(inArray(admins.id, ids), isSuperAdmin))
    .orderBy(asc(admins.id))
    .for('update')
  requireStillAllowed(ctx, locked)
  const operator = locked.find((each) => each.id === id)
  if (!operator) throw notFound('Operator')
  const superAdmins = locked.filter(({ role, isActive: isOpen }) => role === 'super_admin' && isOpen)
  return { operator, isLastSuperAdmin: superAdmins.length === 1 && superAdmins[0]?.id === operator.id }
}

/**
 * Locks who invites and, after an approval, who approved it: each is disabled before, which refuses the invitation, or
 * after, which ends it. Throws unauthorized and forbidden.
 */
export async function lockInviters(tx: Tx, ctx: Ctx) {
  const { actor, approval } = ctx
  if (actor.kind !== 'admin') return { invitedBy: null, invitationApprovedBy: null }
  const isApprover = approval && eq(admins.username, approval.approvedBy)
  const locked = await tx
    .select({ ...getTableColumns(admins) })
    .from(admins)
    .where(or(eq(admins.id, actor.id), isApprover))
    .orderBy(asc(admins.id))
    .for('update')
  const inviter = locked.filter(({ id }) => id === actor.id)
  const approver = locked.find(({ id }) => id !== actor.id)
  requireStillAllowed(ctx, inviter)
  if (approver && approver.disabledAt !== null) throw new AppError('unauthorized', 'Unauthorized')
  return { invitedBy: actor.id, invitationApprovedBy: approver?.id ?? null }
}

/** Nobody changes their own role or disables themselves: it takes a second operator. */
export function requireOther({ actor }: Ctx, { id }: LockedOperator, problem: string): void {
  if (actor.kind === 'admin' && actor.id === id) throw conflict('own_account', problem)
}

/** Somebody has to be left who can manage operators. */
export function requireAnotherSuperAdmin(isLastSuperAdmin: boolean): void {
  if (isLastSuperAdmin)
    throw conflict('last_super_admin', 'This is the last active super admin; make another operator one first')
}
