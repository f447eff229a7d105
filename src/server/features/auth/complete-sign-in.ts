import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { StepUpMethod } from '#contract/factors.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Config } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { adminColumns } from './account.ts'
import { rememberDevice, type PresentedDevice } from './devices.ts'
import { openSession } from './sessions.ts'
import { invalidCredentialsError } from './sign-in-failures.ts'
import { failuresBeforeLock, forgetAttempt, type Attempt } from './throttle.ts'

/** The browser that signs in, and what it presented: as cookies, or as digests of those that it sent before. */
export interface SignInSource extends PresentedDevice {
  userAgent: string
  presentedToken: string | undefined
  presentedHash?: Buffer | undefined
}
export interface SignInResult {
  admin: AccountAdmin
  token: string
  /** Null where the browser keeps the one that it has. */
  deviceToken: string | null
}

export type Account = typeof admins.$inferSelect
type AccountWithPassword = Account & { passwordHash: string }

/** Whether the password of an account opens sessions: not of one that is invited, disabled, or kept to the provider. */
export const isPasswordOpen = (config: Config, account: Account | undefined): account is AccountWithPassword =>
  account !== undefined &&
  account.passwordHash !== null &&
  account.disabledAt === null &&
  (config.isLocalSignInOpen || account.breakGlass)

export interface SignInEntry {
  account: Account
  given: SignInSource
  network: string
  /** What was given. */
  methods: StepUpMethod[]
  /** Of a sign-in with the password: the hash that it was verified with, and the one to keep. */
  password?: { before: string; after: string } | undefined
  /** Absent where nothing could be guessed. */
  attempt?: Attempt | undefined
  /** When the provider asked for what it has proven, if not now, and whether that was a second factor too. */
  authenticatedAt?: SQL | undefined
  providerFactor?: boolean | undefined
}

/** Refuses an account that was disabled, or whose password was changed or closed, since it was judged. */
export async function updateSignedIn(tx: Tx, ctx: Ctx, { account, password }: SignInEntry, isComplete: boolean) {
  const isSame =
    password &&
    and(
      eq(admins.passwordHash, password.before),
      ctx.config.isLocalSignInOpen ? undefined : eq(admins.breakGlass, true),
    )
  // Without a password the hash stays as it is now, which may be another than the one that was read.
  const passwordHash = password?.after ?? sql`${admins.passwordHash}`
  const [admin] = await tx
    .update(admins)
    .set({ passwordHash, ...(isComplete && { lastSignInAt: sql`now()` }) })
    .where(and(eq(admins.id, account.id), isSame, isNull(admins.disabledAt)))
    .returning(adminColumns)
  if (!admin) throw invalidCredentialsError()
  return admin
}

/** Opens the session of a sign-in that has given all it needs. The caller has judged it. */
export async function completeSignIn(tx: Tx, ctx: Ctx, entry: SignInEntry): Promise<SignInResult> {
  const { given, network, attempt, methods } = entry
  const admin = await updateSignedIn(tx, ctx, entry, true)
  if (attempt) await forgetAttempt(tx, attempt)
  const { token, sessionId, ended } = await openSession(tx, admin.id, {
    ...given,
    ipAddress: ctx.ipAddress ?? '',
    authenticatedBy: methods,
    authenticatedAt: entry.authenticatedAt,
    providerFactor: entry.providerFactor,
  })
  const { deviceToken, isNewPlace } = await rememberDevice(tx, admin.id, { ...given, network })
  const actor = { kind: 'admin' as const, id: admin.id, name: admin.username, sessionId, role: admin.role }
  const details = {
    sessionId,
    ...((methods.length > 1 || methods[0] !== 'password') && { methods }),
    ...(ended.length > 0 && { endedSessions: ended }),
  }
  await audit(tx, { ...ctx, actor }, { action: 'login', target: { type: 'admin', id: admin.id }, details })
  await reportSignIn(tx, ctx, entry, isNewPlace)
  return { admin, token, deviceToken }
}

/** Raises the security events of what is unusual about a sign-in. */
async function reportSignIn(tx: Tx, ctx: Ctx, { account, password, attempt }: SignInEntry, isNewPlace: boolean) {
  const { username } = account
  const details = { username }
  if (password && !ctx.config.isLocalSignInOpen)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'break_glass_sign_in',
      description: `${username} signed in by password, which is for emergencies here`,
      details,
    })
  if (isNewPlace && account.lastSignInAt)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'sign_in_new_address',
      description: `${username} signed in from an address not seen before`,
      details,
    })
  const failedBefore = attempt ? Math.max(attempt.failures.place, attempt.failures.account) - 1 : 0
  if (failedBefore >= failuresBeforeLock)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'sign_in_after_failures',
      description: `${username} signed in after ${failedBefore} failed attempts`,
      details: { username, failedBefore },
    })
}
