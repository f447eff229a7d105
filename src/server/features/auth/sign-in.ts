import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Db } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { sha256 } from '#server/lib/hash.ts'
import {
  completeSignIn,
  isPasswordOpen,
  type Account,
  type SignInResult,
  type SignInSource,
} from './complete-sign-in.ts'
import { isKnownDevice } from './devices.ts'
import { hasFactor } from './factors/methods.ts'
import { dummyHash, hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { beginSecondFactor, type SecondFactorStep } from './second-factor.ts'
import { endSession } from './sessions.ts'
import { invalidCredentialsError, recordFailure } from './sign-in-failures.ts'
import { accountCounter, countAttempt, unknownNameCounter } from './throttle.ts'

export interface SignInRequest extends SignInSource {
  username: string
  password: string
  /** The host name that the browser shows. */
  askedHost: string
}
// A hash takes 64 MiB and 50 ms of one core. Two at a time leave room for signed-in users.
const busy = 'Too many sign-ins at once; try again in a moment'
export const limitSignIns = createLimiter(2, 32, busy)
/** For browsers that signed in before and for sessions: whatever strangers guess, there is a place for every operator. */
export const limitKnownSignIns = createLimiter(1, 100, busy)

/**
 * Opens a session for a username, in any case and with blanks around it, and its password, or begins the second step of
 * an admin who has a factor. Throws invalid_credentials, also for an unknown name, too_many_requests while a lock
 * holds, and overloaded. A disabled account, and one that only the provider opens, answer as a wrong password does.
 */
export async function signIn(ctx: Ctx, given: SignInRequest): Promise<SignInResult | SecondFactorStep> {
  // Who sends no cookie of ours costs no statement before there is a place.
  const known = given.deviceToken ? await findSource(ctx.database.db, given) : undefined
  const enter = known?.knownDevice ? limitKnownSignIns : limitSignIns
  return enter(async () => {
    const network = readNetwork(ctx.ipAddress ?? '')
    const { account, counter, knownDevice } = known ?? (await findSource(ctx.database.db, given))
    const attempt = await countAttempt(ctx.database, { account: counter, network, knownDevice })
    const isRight = await verifyPassword(account?.passwordHash ?? dummyHash, given.password)
    if (!isPasswordOpen(ctx.config, account) || !isRight) {
      await inTransaction(ctx, (tx) => recordFailure(tx, ctx, account, attempt))
      throw invalidCredentialsError()
    }
    const before = account.passwordHash
    const password = { before, after: isOutdated(before) ? await hashPassword(given.password) : before }
    return inTransaction(ctx, async (tx) => {
      const entry = { account, password, given, network, attempt, methods: ['password' as const] }
      if (await hasFactor(tx, account.id)) return beginSecondFactor(tx, ctx, { ...entry, askedHost: given.askedHost })
      return completeSignIn(tx, ctx, entry)
    })
  })
}

/** The account of a sign-in, its counter, and the digest of the device cookie if it proves an earlier sign-in. */
async function findSource(db: Db, { username, deviceToken }: SignInRequest) {
  const found = await findAccount(db, username)
  const isKnown = await isKnownDevice(db, found.account?.id ?? null, deviceToken ?? '')
  return { ...found, knownDevice: isKnown && deviceToken ? sha256(deviceToken).toString('base64url') : undefined }
}

/**
 * The account of a name, if there is one, and the name of its failure counter. Only the database folds names, in one
 * statement for known and unknown names, because a different folding would give one account two counters.
 */
async function findAccount(db: Db, username: string): Promise<{ account: Account | undefined; counter: string }> {
  const [found] = await db
    .select({ folded: sql<string>`name.folded`, account: admins })
    .from(sql`(SELECT fold_name(${username}) AS folded) AS name`)
    .leftJoin(admins, eq(sql`fold_name(${admins.username})`, sql`name.folded`))
  const account = found?.account ?? undefined
  return { account, counter: account ? accountCounter(account.id) : unknownNameCounter(found!.folded) }
}

/**
 * Refuses a sign-in with a name that no admin has, and counts and records it like any other. Skips the hash, so the
 * time shows that nobody has the name: for the demo only. Throws too_many_requests while a lock holds.
 */
export async function refuseStranger(ctx: Ctx, username: string): Promise<void> {
  const network = readNetwork(ctx.ipAddress ?? '')
  const { counter } = await findAccount(ctx.database.db, username)
  const attempt = await countAttempt(ctx.database, { account: counter, network, knownDevice: undefined })
  await inTransaction(ctx, (tx) => recordFailure(tx, ctx, undefined, attempt))
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
