import type { AdminAction } from '#contract/security.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { accountLimit, addressLimit, failuresBeforeLock, siteLimit, type Attempt } from './throttle.ts'

export const invalidCredentialsError = () => new AppError('invalid_credentials', 'Invalid credentials')

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
  account: { id: string; username: string } | undefined,
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
  if (failures.site === siteLimit)
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'rate_limit_hit',
      description: `The networks of one /48 reached the limit of ${siteLimit} failed sign-ins a minute`,
    })
}
