import { and, eq, isNull, sql } from 'drizzle-orm'
import type { StepUpMethod } from '#contract/factors.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { adminColumns } from './admins.ts'
import { rememberDevice } from './devices.ts'
import { openSession } from './sessions.ts'
import { invalidCredentialsError } from './sign-in-failures.ts'
import { failuresBeforeLock, forgetAttempt, type Attempt } from './throttle.ts'

/** The browser that signs in. */
export interface SignInSource {
  userAgent: string
  presentedToken: string | undefined
  deviceToken: string | undefined
}
export interface SignInResult {
  admin: AccountAdmin
  token: string
  deviceToken: string
}

export type Account = typeof admins.$inferSelect
/** An account that can be signed in to: not an invited operator's, nor a disabled one's. */
type OpenAccount = Account & { passwordHash: string }
export const isOpenAccount = (account: Account | undefined): account is OpenAccount =>
  account !== undefined && account.passwordHash !== null && account.disabledAt === null

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
