import { and, eq, gt, sql } from 'drizzle-orm'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import { admins, signInLinks } from '#server/db/tables/auth.ts'
import { sha256 } from '#server/lib/hash.ts'
import { rememberLinkedDevice } from './devices.ts'
import { lockAdmin } from './admins.ts'
import { newToken } from './sessions.ts'

export const linkMinutes = 15
/** The code follows this path. */
export const linkPath = '/sign-in-link'

/**
 * Creates a link that makes the browser that opens it a known device of the admin, once, within 15 minutes. That browser can
 * then sign in with the password, even while the account is locked for others. Replaces an earlier link. Throws not_found.
 */
export async function createSignInLink(ctx: Ctx, username: string): Promise<string> {
  const code = newToken()
  await inTransaction(ctx, async (tx) => {
    const admin = await lockAdmin(tx, username)
    const link = { codeHash: sha256(code), expiresAt: sql`now() + make_interval(mins => ${linkMinutes})` }
    await tx
      .insert(signInLinks)
      .values({ adminId: admin.id, ...link })
      .onConflictDoUpdate({ target: signInLinks.adminId, set: link })
    await audit(tx, ctx, {
      action: 'create_sign_in_link',
      target: { type: 'admin', id: admin.id },
      details: { username: admin.username },
    })
  })
  return `${ctx.config.publicUrl.origin}${linkPath}/${code}`
}

const isValid = (code: string) => and(eq(signInLinks.codeHash, sha256(code)), gt(signInLinks.expiresAt, sql`now()`))

/** Whether a link can be used. Does not use it. */
export async function isSignInLinkOpen({ database: { db } }: Ctx, code: string): Promise<boolean> {
  const rows = await db.select({ adminId: signInLinks.adminId }).from(signInLinks).where(isValid(code))
  return rows.length > 0
}

/** Uses a link. Returns the device token for the browser, or null if the link has expired or was used. */
export async function redeemSignInLink(
  ctx: Ctx,
  code: string,
  deviceToken: string | undefined,
): Promise<string | null> {
  return inTransaction(ctx, async (tx) => {
    const [used] = await tx.delete(signInLinks).where(isValid(code)).returning({ adminId: signInLinks.adminId })
    if (!used) return null
    const [admin] = await tx.select({ username: admins.username }).from(admins).where(eq(admins.id, used.adminId))
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'sign_in_link_used',
      description: `A sign-in link made a browser a known device of ${admin!.username}`,
      details: { username: admin!.username },
    })
    return rememberLinkedDevice(tx, used.adminId, deviceToken)
  })
}
