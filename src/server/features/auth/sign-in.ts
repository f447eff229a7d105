import { and, eq, sql } from 'drizzle-orm'
import type { Admin } from '#contract/schemas/auth.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError } from '#server/lib/errors.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { sha256 } from '#server/lib/hash.ts'
import { isKnownDevice, rememberDevice } from './devices.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { dummyHash, hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { adminColumns } from './admins.ts'
import { endSession, openSession } from './sessions.ts'
import {
  accountLimit,
  accountCounter,
  addressLimit,
  countAttempt,
  failuresBeforeLock,
  forgetAttempt,
  unknownNameCounter,
  type Attempt,
} from './throttle.ts'

export interface SignInRequest {
  username: string
  password: string
  userAgent: string
  presentedToken: string | undefined
  deviceToken: string | undefined
}
export interface SignInResult {
  admin: Admin
  token: string
  deviceToken: string
}
type Account = typeof admins.$inferSelect

// A hash takes 64 MiB and 50 ms of one core. Two at a time leave room for signed-in users.
const limitSignIns = createLimiter(2, 32, 'Too many sign-ins at once; try again in a moment')

const invalidCredentialsError = () => new AppError('invalid_credentials', 'Invalid credentials')

/**
 * Opens a session for a username, in any case, and its password. Throws invalid_credentials, also for an unknown name,
 * too_many_requests while a lock holds, and overloaded.
 */
export async function signIn(ctx: Ctx, given: SignInRequest): Promise<SignInResult> {
  return limitSignIns(async () => {
    const { db } = ctx.database
    const network = readNetwork(ctx.ipAddress ?? '')
    const { account, counter } = await findAccount(db, given.username)
    const isKnown = await isKnownDevice(db, account?.id ?? null, given.deviceToken ?? '')
    const knownDevice = isKnown && given.deviceToken ? sha256(given.deviceToken).toString('base64url') : undefined
    const attempt = await countAttempt(ctx.database, { account: counter, network, knownDevice })
    const isRight = await verifyPassword(account?.passwordHash ?? dummyHash, given.password)
    if (!account || !isRight) {
      await inTransaction(ctx, (tx) => recordFailure(tx, ctx, account, attempt))
      throw invalidCredentialsError()
    }
    const passwordHash = isOutdated(account.passwordHash) ? await hashPassword(given.password) : account.passwordHash
    return inTransaction(ctx, (tx) => completeSignIn(tx, ctx, { account, passwordHash, given, network, attempt }))
  })
}

/**
 * The account of a name, if there is one, and the name of its failure counter. Only the database folds names, in one
 * statement for known and unknown names, because a different folding would give one account two counters.
 */
async function findAccount(db: Db, username: string): Promise<{ account: Account | undefined; counter: string }> {
  const [found] = await db
    .select({ folded: sql<string>`name.folded`, account: admins })
    .from(sql`(SELECT lower(${username}::text) AS folded) AS name`)
    .leftJoin(admins, eq(sql`lower(${admins.username})`, sql`name.folded`))
  const account = found?.account ?? undefined
  return { account, counter: account ? accountCounter(account.id) : unknownNameCounter(found!.folded) }
}

/**
 * Refuses a sign-in with a name that no admin has, and counts and records it like any other. Skips the hash, so the time
 * shows that nobody has the name: for the demo only. Throws too_many_requests while a lock holds.
 */
export async function refuseStranger(ctx: Ctx, username: string): Promise<void> {
  const network = readNetwork(ctx.ipAddress ?? '')
  const { counter } = await findAccount(ctx.database.db, username)
  const attempt = await countAttempt(ctx.database, { account: counter, network, knownDevice: undefined })
  await inTransaction(ctx, (tx) => recordFailure(tx, ctx, undefined, attempt))
}

async function completeSignIn(
  tx: Tx,
  ctx: Ctx,
  entry: { account: Account; passwordHash: string; given: SignInRequest; network: string; attempt: Attempt },
): Promise<SignInResult> {
  const { account, passwordHash, given, network, attempt } = entry
  // A password that was changed during the verification does not open a session.
  const [admin] = await tx
    .update(admins)
    .set({ lastSignInAt: sql`now()`, passwordHash })
    .where(and(eq(admins.id, account.id), eq(admins.passwordHash, account.passwordHash)))
    .returning(adminColumns)
  if (!admin) throw invalidCredentialsError()
  await forgetAttempt(tx, attempt)
  const { token, sessionId, ended } = await openSession(tx, admin.id, { ...given, ipAddress: ctx.ipAddress ?? '' })
  const { deviceToken, isNewPlace } = await rememberDevice(tx, admin.id, { network, deviceToken: given.deviceToken })
  const actor = { kind: 'admin' as const, id: admin.id, name: admin.username, sessionId }
  const details = { sessionId, ...(ended.length > 0 && { endedSessions: ended }) }
  await audit(tx, { ...ctx, actor }, { action: 'login', target: { type: 'admin', id: admin.id }, details })
  if (isNewPlace && account.lastSignInAt)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'sign_in_new_address',
      description: `${admin.username} signed in from an address not seen before`,
      details: { username: admin.username },
    })
  const failedBefore = Math.max(attempt.failures.place, attempt.failures.account) - 1
  if (failedBefore >= failuresBeforeLock)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'sign_in_after_failures',
      description: `${admin.username} signed in after ${failedBefore} failed attempts`,
      details: { username: admin.username, failedBefore },
    })
  return { admin, token, deviceToken }
}

/** Does not record an unknown name, because a password may have been typed into the wrong field. */
async function recordFailure(tx: Tx, ctx: Ctx, account: Account | undefined, { failures }: Attempt): Promise<void> {
  const who = account ? account.username : 'an unknown username'
  const details = { username: account?.username ?? null, failures: failures.place }
  const target = account && { target: { type: 'admin', id: account.id } }
  await audit(tx, ctx, { action: 'login_failed', ...target, details })
  await raiseSecurityEvent(tx, ctx, {
    severity: failures.place < 3 ? 'low' : 'medium',
    type: 'sign_in_failed',
    description: `Failed sign-in as ${who}`,
    details,
  })
  if (failures.place === failuresBeforeLock)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'sign_in_locked',
      description: `Sign-in as ${who} is locked for this address after ${failures.place} failures in a row`,
      details,
    })
  // One address is locked much earlier, so several must work together: critical whether or not the name exists.
  if (failures.account === accountLimit)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'critical',
      type: 'sign_in_locked',
      description: `${accountLimit} failed sign-ins as ${who} from several addresses: closed to unknown devices for up to an hour`,
      details: { ...details, failures: failures.account },
    })
  if (failures.address === addressLimit)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'rate_limit_hit',
      description: `An address reached the limit of ${addressLimit} failed sign-ins a minute`,
    })
}

/** Ends the session of a token, where there is one. */
export async function signOut(ctx: Ctx, token: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const ended = await endSession(tx, token)
    if (!ended) return
    const { adminId, username, sessionId } = ended
    const actor = { kind: 'admin' as const, id: adminId, name: username, sessionId }
    await audit(
      tx,
      { ...ctx, actor },
      { action: 'logout', target: { type: 'admin', id: adminId }, details: { sessionId } },
    )
  })
}
