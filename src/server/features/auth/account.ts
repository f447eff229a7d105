import { and, eq, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { ListName } from '#contract/list.ts'
import { signInWays } from '#contract/oidc.ts'
import { permissionsOf } from '#contract/permissions.ts'
import type { Account, AccountAdmin, ColumnChoice } from '#contract/schemas/account.ts'
import type { Config } from '#server/core/config.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { admins } from '#server/db/tables/auth.ts'
import { listViews } from '#server/db/tables/views.ts'
import { AppError } from '#server/lib/errors.ts'
import { readSignInWays } from './factors/methods.ts'

/** The fields of an admin that calls may answer. The password's hash never leaves this folder. */
export const adminColumns = {
  id: admins.id,
  username: admins.username,
  role: admins.role,
  createdAt: admins.createdAt,
  lastSignInAt: admins.lastSignInAt,
}

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

/** The signed-in admin. */
export async function readSignedIn(ctx: Ctx): Promise<AccountAdmin> {
  const [admin] = await ctx.database.db
    .select(adminColumns)
    .from(admins)
    .where(eq(admins.id, adminOf(ctx).id))
  // The row was deleted after the session was found.
  if (!admin) throw new AppError('unauthorized', 'Unauthorized')
  return admin
}

/** The role and permissions of the signed-in admin. */
export async function readAccount(ctx: Ctx): Promise<Account> {
  const { db } = ctx.database
  const admin = await readSignedIn(ctx)
  const [other] = await db
    .select({ id: admins.id })
    .from(admins)
    .where(and(isActive(ctx.config), ne(admins.id, admin.id)))
    .limit(1)
  const [kept] = await db.select({ columns: admins.columnChoices }).from(admins).where(eq(admins.id, admin.id))
  const viewed = await db
    .selectDistinct({ list: listViews.list })
    .from(listViews)
    .where(or(eq(listViews.ownerId, admin.id), listViews.isShared))
  const { hasPassword, isLinked } = await readSignInWays(db, ctx, admin.id)
  return {
    admin,
    permissions: permissionsOf(admin.role, ctx.roles),
    hasOtherOperators: other !== undefined,
    signInWays: signInWays.filter((way) => (way === 'password' ? hasPassword : isLinked)),
    columns: kept?.columns ?? {},
    viewedLists: viewed.map(({ list }) => list),
  }
}

/** Keeps how the signed-in admin has the columns of a list, as own saved views without an audit row (product 4.10). */
export async function chooseColumns(ctx: Ctx, list: ListName, choice: ColumnChoice): Promise<void> {
  const kept = sql`${admins.columnChoices} || jsonb_build_object(${list}::text, ${JSON.stringify(choice)}::jsonb)`
  await inTransaction(ctx, (tx) =>
    tx
      .update(admins)
      .set({ columnChoices: kept })
      .where(eq(admins.id, adminOf(ctx).id)),
  )
}
