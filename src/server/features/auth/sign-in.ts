import { and, eq, isNull, sql } from 'drizzle-orm'
import type { StepUpMethod } from '#contract/factors.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import type { AdminAction } from '#contract/security.ts'
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
import { hasFactor } from '#server/features/factors/service.ts'
import { beginSecondFactor, type SecondFactorStep } from './second-factor.ts'
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

/** The browser that signs in. */
export interface SignInSource {
  userAgent: string
  presentedToken: string | undefined
  deviceToken: string | undefined
}
export interface SignInRequest extends SignInSource {
  username: string
  password: string
  /** The host name that the browser shows. */
  askedHost: string
}
export interface SignInResult {
  admin: AccountAdmin
  token: string
  deviceToken: string
}
type Account = typeof admins.$inferSelect
/** An account that can be signed in to: not an invited operator's, nor a disabled one's. */
type OpenAccount = Account & { passwordHash: string }
export const isOpenAccount = (account: Account | undefined): account is OpenAccount =>
  account !== undefined && account.passwordHash !== null && account.disabledAt === null

// A hash takes 64 MiB and 50 ms of one core. Two at a time leave room for signed-in users.
export const limitSignIns = createLimiter(2, 32, 'Too many sign-ins at once; try again in a moment')

export const invalidCredentialsError = () => new AppError('invalid_credentials', 'Invalid credentials')

/**
 * Opens a session for a username, in any case, and its password, or begins the second step of an admin who has a factor.
 * Throws invalid_credentials, also for an unknown name, too_many_requests while a lock holds, and overloaded. A disabled
 * account answers as a wrong password does.
 */
export async function signIn(ctx: Ctx, given: SignInRequest): Promise<SignInResult | SecondFactorStep> {
  return limitSignIns(async () => {
    const { db } = ctx.database
    const network = readNetwork(ctx.ipAddress ?? '')
    const { account, counter } = await findAccount(db, given.username)
    const isKnown = await isKnownDevice(db, account?.id ?? null, given.deviceToken ?? '')
    const knownDevice = isKnown && given.deviceToken ? sha256(given.deviceToken).toString('base64url') : undefined
    const attempt = await countAttempt(ctx.database, { account: counter, network, knownDevice })
    const isRight = await verifyPassword(account?.passwordHash ?? dummyHash, given.password)
    if (!isOpenAccount(account) || !isRight) {
      await inTransaction(ctx, (tx) => recordFailure(tx, ctx, account, attempt))
      throw invalidCredentialsError()
    }
    const passwordHash = isOutdated(account.passwordHash) ? await hashPassword(given.password) : account.passwordHash
    return inTransaction(ctx, async (tx) => {
      const entry = { account, passwordHash, given, network, attempt }
      if (await hasFactor(tx, account.id)) return beginSecondFactor(tx, ctx, { ...entry, askedHost: given.askedHost })
      return completeSignIn(tx, ctx, { ...entry, methods: ['password'] })
    })
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

interface SignInEntry {
  account: OpenAccount
  passwordHash: string
  given: SignInSource
  network: string
  attempt: Attempt
  /** What was given. */
  methods: StepUpMethod[]
}

/** Opens the session of a sign-in that has given all it needs. The caller has judged it. */
export async function completeSignIn(tx: Tx, ctx: Ctx, entry: SignInEntry): Promise<SignInResult> {
  const { account, passwordHash, given, network, attempt, methods } = entry
  // A password that was changed, or an account that was disabled, during the verification opens no session.
  const [admin] = await tx
    .update(admins)
    .set({ lastSignInAt: sql`now()`, passwordHash })
    .where(and(eq(admins.id, account.id), eq(admins.passwordHash, account.passwordHash), isNull(admins.disabledAt)))
    .returning(adminColumns)
  if (!admin) throw invalidCredentialsError()
  await forgetAttempt(tx, attempt)
  const { token, sessionId, ended } = await openSession(tx, admin.id, {
    ...given,
    ipAddress: ctx.ipAddress ?? '',
    authenticatedBy: methods,
  })
  const { deviceToken, isNewPlace } = await rememberDevice(tx, admin.id, { network, deviceToken: given.deviceToken })
  const actor = { kind: 'admin' as const, id: admin.id, name: admin.username, sessionId, role: admin.role }
  const details = {
    sessionId,
    ...(methods.length > 1 && { methods }),
    ...(ended.length > 0 && { endedSessions: ended }),
  }
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

/** Where something wrong was given: the audit action, and the security event. */
export interface FailureKind {
  action: AdminAction
  eventType: string
  /** The severity of the first failures, if not low. */
  least?: 'medium'
  description: (who: string) => string
}
const signInFailure: FailureKind = {
  action: 'login_failed',
  eventType: 'sign_in_failed',
  description: (who) => `Failed sign-in as ${who}`,
}

/** Does not record an unknown name, because a password may have been typed into the wrong field. */
export async function recordFailure(
  tx: Tx,
  ctx: Ctx,
  account: Account | undefined,
  { failures }: Attempt,
  kind = signInFailure,
): Promise<void> {
  const who = account ? account.username : 'an unknown username'
  const details = { username: account?.username ?? null, failures: failures.place }
  const target = account && { target: { type: 'admin', id: account.id } }
  await audit(tx, ctx, { action: kind.action, ...target, details })
  await raiseSecurityEvent(tx, ctx, {
    severity: failures.place < 3 ? (kind.least ?? 'low') : 'medium',
    type: kind.eventType,
    description: kind.description(who),
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
    const { adminId, username, role, sessionId } = ended
    const actor = { kind: 'admin' as const, id: adminId, name: username, sessionId, role }
    await audit(
      tx,
      { ...ctx, actor },
      { action: 'logout', target: { type: 'admin', id: adminId }, details: { sessionId } },
    )
  })
}
