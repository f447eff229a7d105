import { eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import type { Target } from '#server/features/approvals/service.ts'

/** An operator as the target of a request. Null where there is none. */
export async function findOperatorTarget(db: Db | Tx, id: string): Promise<Target | null> {
  if (!RowId.safeParse(id).success) return null
  const [operator] = await db
    .select({ name: admins.username, version: admins.version })
    .from(admins)
    .where(eq(admins.id, id))
  return operator ? { type: 'admin', id, ...operator } : null
}

/** An operator who is yet to be invited. */
export const describeInvited = (username: string): Target => ({
  type: 'admin',
  id: username.toLowerCase(),
  name: username,
  version: null,
})
