import { eq, sql, inArray, or } from 'drizzle-orm'
import { can, roleLabels, type Role } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import { actorName, announce, audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins, operatorInvitations, signInLinks } from '#server/db/tables/auth.ts'
import { dropFactors, endSessionsOf } from '#server/features/auth/service.ts'
import { AppError, conflict, requireVersion } from '#server/lib/errors.ts'
import { readOperator } from './access.ts'
import { lockOperator, requireAnotherSuperAdmin, requireOther, type LockedOperator, type OperatorName } from './lock.ts'

/**
 * Ends the invitations whose links an operator may have: those that the operator made, and those whose approval showed
 * the link. Returns the names of those whose link still worked.
 */
async function endInvitationsBy(tx: Tx, id: string): Promise<string[]> {
  const isFromOperator = or(eq(admins.invitedBy, id), eq(admins.invitationApprovedBy, id))
  const invited = await tx
    .select({ id: admins.id, username: admins.username })
    .from(admins)
    .where(isFromOperator)
    .orderBy(sql`lower(${admins.username})`)
  if (invited.length === 0) return []
  const ended = await tx
    .delete(operatorInvitations)
    .where(
      inArray(
        operatorInvitations.adminId,
        invited.map((each) => each.id),
      ),
    )
    .returning({ adminId: operatorInvitations.adminId, worked: sql<boolean>`${operatorInvitations.expiresAt} > now()` })
  const working = new Set(ended.filter(({ worked }) => worked).map(({ adminId }) => adminId))
  return invited.filter((each) => working.has(each.id)).map(({ username }) => username)
}

/** A sentence about ended invitations, to follow what was done to the operator who made them. */
const describeEnded = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `, which ended ${names.length === 1 ? '1 invitation' : `${names.length} invitations`}: ${names.join(', ')}`

interface ChangeRecord {
  action: AdminAction
  details: { [field: string]: unknown }
  event?: { severity: Severity; type: string; description: string }
}

/** Who acted, to end the sentence of an event with. Empty where no operator did. */
export const describeActor = ({ actor, approval }: Ctx): string => {
  if (actor.kind === 'command') return ' by a command'
  if (actor.kind !== 'admin') return ''
  return ` by ${actor.name}${approval ? `, approved by ${approval.approvedBy}` : ''}`
}

/** Writes the audit row of a change and its security event, and announces it. */
export async function recordChange(
  tx: Tx,
  ctx: Ctx,
  { id, username }: { id: string; username: string },
  { action, details, event }: ChangeRecord,
): Promise<void> {
  await audit(tx, ctx, { action, target: { type: 'admin', id }, details: { username, ...details } })
  if (event)
    await raiseSecurityEvent(tx, ctx, { ...event, details: { username, by: actorName(ctx.actor), ...details } })
  await announce(tx, 'operators')
}

function requirePresent({ username, version, role }: LockedOperator, ifMatch: number | undefined): void {
  requireVersion(ifMatch, version, () => {
    const message = `${username} was changed meanwhile: now ${roleLabels[role]}. Look again and decide.`
    return new AppError('stale', message, { details: { version } })
  })
}

/**
 * Changes the role, and ends the operator's sessions, so that no console shows what the former role allowed. A role that may not
 * invite also ends the invitations that the operator made. Throws not_found, stale, own_account, last_super_admin, and operator_state where the role is the same.
 */
export const setRole = (ctx: Ctx, name: OperatorName, role: Role, ifMatch?: number): Promise<Operator> =>
  inTransaction(ctx, async (tx) => {
    const { operator, isLastSuperAdmin } = await lockOperator(tx, ctx, name)
    const { id, username } = operator
    requireOther(ctx, operator, 'Another operator has to change your role')
    requirePresent(operator, ifMatch)
    if (operator.role === role) throw conflict('operator_state', `${username} has the role ${roleLabels[role]} already`)
    requireAnotherSuperAdmin(isLastSuperAdmin)
    await saveRole(tx, ctx, operator, role)
    return readOperator(tx, id)
  })

/** How severe it is that somebody has a role from now on. A new super admin stands at the bell (product 2.7). */
export const rateNewAccess = (role: Role): Severity => (role === 'super_admin' ? 'critical' : 'medium')

async function saveRole(tx: Tx, ctx: Ctx, operator: LockedOperator, role: Role): Promise<void> {
  const { id, username, version } = operator
  await tx
    .update(admins)
    .set({ role, version: version + 1 })
    .where(eq(admins.id, id))
  const endedSessions = await endSessionsOf(tx, id, 'role_changed')
  const endedInvitations = can({ role }, 'operators.manage', ctx.roles) ? [] : await endInvitationsBy(tx, id)
  const change = `${username} is ${roleLabels[role]} now, and was ${roleLabels[operator.role]}`
  const by = describeActor(ctx)
  await recordChange(tx, ctx, operator, {
    action: 'change_role',
    details: { before: operator.role, after: role, endedSessions, endedInvitations },
    event: {
      severity: rateNewAccess(role),
      type: 'operator_role_changed',
      description: `${change}${by && `; changed${by}`}${describeEnded(endedInvitations)}`,
    },
  })
}

/**
 * Gives an operator the role that the provider's groups mean, at sign-in. The last active super admin keeps the role,
 * which is a security event. Returns the operator, locked.
 */
export async function followRole(tx: Tx, ctx: Ctx, id: string, role: Role): Promise<LockedOperator> {
  const { operator, isLastSuperAdmin } = await lockOperator(tx, ctx, { id })
  if (operator.role === role || operator.disabledAt !== null) return operator
  if (isLastSuperAdmin) {
    const { username } = operator
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'operator_role_kept',
      description: `By the provider ${username} is ${roleLabels[role]}, but stays Super Admin as the last one who can sign in`,
      details: { username, role },
    })
    return operator
  }
  await saveRole(tx, ctx, operator, role)
  return { ...operator, role, version: operator.version + 1 }
}

/**
 * Disables an operator: no sign-in, no session, no link from now on, of others whom the operator invited neither.
 * Throws not_found, stale, own_account, last_super_admin, and operator_state where the operator is disabled already.
 */
export const disableOperator = (
  ctx: Ctx,
  name: OperatorName,
  reason: string | null,
  ifMatch?: number,
): Promise<Operator> =>
  inTransaction(ctx, async (tx) => {
    const { operator, isLastSuperAdmin } = await lockOperator(tx, ctx, name)
    const { id, username, version } = operator
    requireOther(ctx, operator, 'Another operator has to disable you')
    requirePresent(operator, ifMatch)
    if (operator.disabledAt !== null)
      throw conflict('operator_state', `${username} is disabled already`, { at: operator.disabledAt })
    requireAnotherSuperAdmin(isLastSuperAdmin)
    await tx
      .update(admins)
      .set({ disabledAt: sql`now()`, lastDisabledAt: sql`now()`, version: version + 1 })
      .where(eq(admins.id, id))
    const endedSessions = await endSessionsOf(tx, id, 'disabled')
    await tx.delete(signInLinks).where(eq(signInLinks.adminId, id))
    await tx.delete(operatorInvitations).where(eq(operatorInvitations.adminId, id))
    const endedInvitations = await endInvitationsBy(tx, id)
    const ended = describeEnded(endedInvitations)
    await recordChange(tx, ctx, operator, {
      action: 'disable_admin',
      details: { reason, endedSessions, endedInvitations },
      event: {
        severity: 'medium',
        type: 'operator_disabled',
        description: `${username} was disabled${describeActor(ctx)}${ended}`,
      },
    })
    return readOperator(tx, id)
  })

/** Enables a disabled operator. Throws not_found, stale, and operator_state where the operator is not disabled. */
export const enableOperator = (
  ctx: Ctx,
  name: OperatorName,
  reason: string | null,
  ifMatch?: number,
): Promise<Operator> =>
  inTransaction(ctx, async (tx) => {
    const { operator } = await lockOperator(tx, ctx, name)
    const { id, username, version } = operator
    requirePresent(operator, ifMatch)
    if (operator.disabledAt === null) throw conflict('operator_state', `${username} is not disabled`)
    await tx
      .update(admins)
      .set({ disabledAt: null, version: version + 1 })
      .where(eq(admins.id, id))
    await recordChange(tx, ctx, operator, {
      action: 'enable_admin',
      details: { reason },
      event: {
        severity: operator.role === 'super_admin' ? 'high' : 'medium',
        type: 'operator_enabled',
        description: `${username} was enabled again${describeActor(ctx)}`,
      },
    })
    return readOperator(tx, id)
  })

/**
 * Takes an operator's second factors and recovery codes away, so that the password alone signs in, or nothing but
 * adding a factor where one is required. Throws not_found, stale, own_account, and operator_state where there are none.
 */
export const resetFactors = (
  ctx: Ctx,
  name: OperatorName,
  reason: string | null,
  ifMatch?: number,
): Promise<{ operator: Operator; factors: number; endedSessions: number }> =>
  inTransaction(ctx, async (tx) => {
    const { operator } = await lockOperator(tx, ctx, name)
    const { id, username, version } = operator
    requireOther(ctx, operator, 'Another operator has to reset your second factors')
    requirePresent(operator, ifMatch)
    const { factors, endedSessions } = await dropFactors(tx, id)
    if (factors.length === 0) throw conflict('operator_state', `${username} has no second factor`)
    await tx
      .update(admins)
      .set({ version: version + 1 })
      .where(eq(admins.id, id))
    await recordChange(tx, ctx, operator, {
      action: 'reset_factors',
      details: { reason, factors, endedSessions },
      event: {
        severity: 'critical',
        type: 'factors_reset',
        description: `The second factors of ${username} were taken away${describeActor(ctx)}; the password alone signs in`,
      },
    })
    return { operator: await readOperator(tx, id), factors: factors.length, endedSessions: endedSessions.length }
  })

/** Ends all sessions of an operator, even where there are none. Throws not_found. */
export const endOperatorSessions = (ctx: Ctx, id: string): Promise<Operator> =>
  inTransaction(ctx, async (tx) => {
    const { operator } = await lockOperator(tx, ctx, { id })
    const endedSessions = await endSessionsOf(tx, operator.id, 'ended_by_operator')
    if (endedSessions.length > 0)
      await recordChange(tx, ctx, operator, { action: 'end_session', details: { endedSessions } })
    return readOperator(tx, operator.id)
  })
