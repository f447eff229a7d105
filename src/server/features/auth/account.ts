import { and, isNotNull, isNull, ne } from 'drizzle-orm'
import { permissionsOf } from '#contract/permissions.ts'
import type { Account, AccountAdmin } from '#contract/schemas/account.ts'
import type { Ctx } from '#server/core/context.ts'
import { admins } from '#server/db/tables/auth.ts'

/** Who can sign in: has set a password, and is not disabled. */
export const isActive = and(isNotNull(admins.passwordHash), isNull(admins.disabledAt))

/** The role and permissions of the signed-in admin. */
export async function readAccount({ database: { db }, roles }: Ctx, admin: AccountAdmin): Promise<Account> {
  const [other] = await db
    .select({ id: admins.id })
    .from(admins)
    .where(and(isActive, ne(admins.id, admin.id)))
    .limit(1)
  return { admin, permissions: permissionsOf(admin.role, roles), hasOtherOperators: other !== undefined }
}
