import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { invitationHours, mostOperators } from '#contract/operators.ts'
import { roleLabels, type Role } from '#contract/permissions.ts'
import type { NewOperator, Operator } from '#contract/schemas/operators.ts'
import { type Actor, type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { admins, operatorInvitations } from '#server/db/tables/auth.ts'
import {
  hashPassword,
  newToken,
  requireDistinctUsername,
  requirePassword,
  requireUsername,
} from '#server/features/auth/service.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { AppError, conflict } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import { describeActor, rateNewAccess, recordChange } from './change.ts'
import { readOperator } from './access.ts'
import { lockInviters, lockOperator } from './lock.ts'

/** The code follows this path. */
export const invitationPath = '/invitation'

/** Replaces an earlier invitation of the operator, and says who has made this one. Returns the link. */
async function writeInvitation(tx: Tx, ctx: Ctx, adminId: string): Promise<string> {
  const inviters = await lockInviters(tx, ctx)
  await tx.update(admins).set(inviters).where(eq(admins.id, adminId))
  const code = newToken()
  const invitation = { codeHash: sha256(code), expiresAt: sql`now() + make_interval(hours => ${invitationHours})` }
  await tx
    .insert(operatorInvitations)
    .values({ adminId, ...invitation })
    .onConflictDoUpdate({ target: operatorInvitations.adminId, set: invitation })
  return `${ctx.config.publicUrl.origin}${invitationPath}/${code}`
}

/** Held while an operator is added. */
export const operatorsLock = 'operators'

/** Throws invalid, username_taken also for a name that looks alike, and operator_limit. */
async function insertOperator(tx: Tx, { username, role }: { username: string; role: Role }): Promise<{ id: string }> {
  requireUsername(username)
  await requireDistinctUsername(tx, username)
  if ((await tx.$count(admins)) >= mostOperators)
    throw conflict('operator_limit', `There are ${mostOperators} operators already`)
  // A command may add the same name at the same moment.
  const [added] = await tx.insert(admins).values({ username, role }).onConflictDoNothing().returning({ id: admins.id })
  if (added) return added
  const problem = 'another operator already has this name'
  throw new AppError('username_taken', `username: ${problem}`, { details: [{ field: 'username', message: problem }] })
}

/**
 * Adds an operator without a password, and a link to set one with: once, within 48 hours. Throws invalid,
 * username_taken in any case of its letters, and operator_limit.
 */
export const inviteOperator = (
  ctx: Ctx,
  { username, role }: NewOperator,
): Promise<{ operator: Operator; link: string }> =>
  inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, operatorsLock)
    const added = await insertOperator(tx, { username, role })
    const link = await writeInvitation(tx, ctx, added.id)
    await recordChange(
      tx,
      ctx,
      { id: added.id, username },
      {
        action: 'invite_operator',
        details: { role },
        event: {
          severity: role === 'super_admin' ? 'high' : 'medium',
          type: 'operator_invited',
          description: `${username} was invited as ${roleLabels[role]}${describeActor(ctx)}`,
        },
      },
    )
    return { operator: await readOperator(tx, added.id), link }
  })

/** A new link for an operator who has set no password yet. Throws not_found and operator_state. */
export const renewInvitation = (ctx: Ctx, id: string): Promise<{ operator: Operator; link: string }> =>
  inTransaction(ctx, async (tx) => {
    const { operator } = await lockOperator(tx, ctx, { id })
    if (operator.disabledAt !== null) throw conflict('operator_state', `${operator.username} is disabled`)
    if (operator.passwordHash !== null)
      throw conflict('operator_state', `${operator.username} has set a password already`)
    if (operator.hasJoined) throw conflict('operator_state', `${operator.username} signs in with the provider already`)
    const link = await writeInvitation(tx, ctx, id)
    const { username, role } = operator
    await recordChange(tx, ctx, operator, {
      action: 'invite_operator',
      details: { role },
      event: {
        severity: role === 'super_admin' ? 'high' : 'medium',
        type: 'operator_invited',
        description: `${username} got a new invitation as ${roleLabels[role]}${describeActor(ctx)}`,
      },
    })
    return { operator: await readOperator(tx, id), link }
  })

const isValid = (codeHash: Buffer) =>
  and(eq(operatorInvitations.codeHash, codeHash), gt(operatorInvitations.expiresAt, sql`now()`))

/** Who an invitation is for. Null when it has expired or was used. Does not use it. */
export async function findInvited({ database: { db } }: Ctx, code: string) {
  const [found] = await db
    .select({ username: admins.username, role: admins.role })
    .from(operatorInvitations)
    .innerJoin(admins, eq(admins.id, operatorInvitations.adminId))
    .where(isValid(sha256(code)))
  return found ?? null
}

// A hash takes 64 MiB and 50 ms of one core.
const limitHashes = createLimiter(1, 8, 'Too many passwords are being set at once; try again in a moment')

/**
 * Sets the first password with an invitation, which is then used. False when it has expired or was used, or passwords
 * are closed. Throws invalid.
 */
export async function acceptInvitation(ctx: Ctx, code: string, password: string): Promise<boolean> {
  const invited = await findInvited(ctx, code)
  if (!invited || !ctx.config.isLocalSignInOpen) return false
  await requirePassword(password, invited.username)
  const passwordHash = await limitHashes(() => hashPassword(password))
  return inTransaction(ctx, async (tx) => (await redeemInvitation(tx, ctx, sha256(code), passwordHash)) !== null)
}

/** Uses an invitation for the person whom the provider has named. Returns the operator, or null when it has expired or was used. */
export const acceptByProvider = (tx: Tx, ctx: Ctx, codeHash: Buffer): Promise<{ id: string } | null> =>
  redeemInvitation(tx, ctx, codeHash, null)

/** Uses an invitation, for a password or, with null, for the provider. */
async function redeemInvitation(tx: Tx, ctx: Ctx, codeHash: Buffer, passwordHash: string | null) {
  const [used] = await tx
    .delete(operatorInvitations)
    .where(isValid(codeHash))
    .returning({ adminId: operatorInvitations.adminId })
  if (!used) return null
  const [joined] = await tx
    .update(admins)
    .set({ passwordHash, version: sql`${admins.version} + 1` })
    .where(and(eq(admins.id, used.adminId), isNull(admins.passwordHash), isNull(admins.disabledAt)))
    .returning({ id: admins.id, username: admins.username, role: admins.role, invitedBy: admins.invitedBy })
  if (!joined) return null
  const { username, role, invitedBy } = joined
  const inviter = invitedBy && (await readUsername(tx, invitedBy))
  // Who accepts has no session yet, but is who acts.
  const actor: Actor = { kind: 'admin', id: joined.id, name: username, role, sessionId: '0' }
  await recordChange(tx, { ...ctx, actor }, joined, {
    action: 'accept_invitation',
    details: { role, invitedBy: inviter, ...(passwordHash === null && { by: 'provider' }) },
    event: {
      severity: rateNewAccess(role),
      type: 'operator_joined',
      description: `${username} has accepted the invitation${inviter ? ` of ${inviter}` : ''} and can sign in as ${roleLabels[role]}`,
    },
  })
  return joined
}

async function readUsername(tx: Tx, id: string): Promise<string | null> {
  const [found] = await tx.select({ username: admins.username }).from(admins).where(eq(admins.id, id))
  return found?.username ?? null
}

/**
 * Adds an operator whom the provider has named, with the role that the groups mean. The caller holds the lock
 * `operators`, and links the identity. Throws invalid, username_taken and operator_limit.
 */
export async function addOperator(
  tx: Tx,
  ctx: Ctx,
  { username, role }: { username: string; role: Role },
): Promise<{ id: string }> {
  const added = await insertOperator(tx, { username, role })
  await recordChange(
    tx,
    ctx,
    { id: added.id, username },
    {
      action: 'create_admin',
      details: { role, by: 'provider' },
      event: {
        severity: rateNewAccess(role),
        type: 'operator_joined',
        description: `${username} signed in with the provider for the first time, as ${roleLabels[role]}`,
      },
    },
  )
  return added
}
