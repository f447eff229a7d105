import { and, eq, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { signInWays } from '#contract/oidc.ts'
import { permissionsOf } from '#contract/permissions.ts'
import type { Account, AccountAdmin } from '#contract/schemas/account.ts'
import type { Config } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import { admins } from '#server/db/tables/auth.ts'
import { readSignInWays } from './factors/methods.ts'

/** SQL: whether an admin has set a password or is linked to a provider: is not merely invited. */
export const hasJoined = sql<boolean>`(admins.password_hash IS NOT NULL
  OR EXISTS (SELECT FROM operator_identities i WHERE i.admin_id = admins.id))`

/** SQL: who can sign in as this console is set: by password or provider, and is not disabled. */
export function isActive({ oidc, isLocalSignInOpen }: Config): SQL {
  const byPassword = and(isNotNull(admins.passwordHash), isLocalSignInOpen ? undefined : eq(admins.breakGlass, true))
  const byProvider =
    oidc && sql`EXISTS (SELECT FROM operator_identities i WHERE i.admin_id = admins.id AND i.issuer = ${oidc.issuer})`
  return and(isNull(admins.disabledAt), or(byPassword, byProvider))!
}

/** The role and permissions of the signed-in admin. */
export async function readAccount(ctx: Ctx, admin: AccountAdmin): Promise<Account> {
  const { db } = ctx.database
  const [other] = await db
    .select({ id: admins.id })
    .from(admins)
    .where(and(isActive(ctx.config), ne(admins.id, admin.id)))
    .limit(1)
  const { hasPassword, isLinked } = await readSignInWays(db, ctx, admin.id)
  return {
    admin,
    permissions: permissionsOf(admin.role, ctx.roles),
    hasOtherOperators: other !== undefined,
    signInWays: signInWays.filter((way) => (way === 'password' ? hasPassword : isLinked)),
  }
}
