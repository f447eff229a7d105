import { sql, type SQL } from 'drizzle-orm'
import type { Operator } from '#contract/schemas/operators.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'
import { isAlive } from '#server/features/auth/service.ts'

async function readOperators(db: Db | Tx, only: SQL): Promise<Operator[]> {
  const { rows } = await db.execute<Operator & Record<string, unknown>>(sql`
    SELECT a.id::text, a.username, a.role,
      CASE WHEN a.disabled_at IS NOT NULL THEN 'disabled' WHEN a.password_hash IS NULL THEN 'invited' ELSE 'active' END AS state,
      ${sql.raw(instant('a.created_at'))} AS "createdAt", ${sql.raw(instant('a.last_sign_in_at'))} AS "lastSignInAt",
      (SELECT count(*)::int FROM sessions WHERE sessions.admin_id = a.id AND ${isAlive}) AS sessions,
      (SELECT ${sql.raw(instant('i.expires_at'))} FROM operator_invitations i
        WHERE i.admin_id = a.id AND i.expires_at > now()) AS "invitedUntil", a.version
    FROM admins a WHERE ${only} ORDER BY lower(a.username), a.id`)
  return rows
}

/** All operators by name. Their number is limited, so there are no pages. */
export const listOperators = async ({ database }: Ctx): Promise<Operator[]> => readOperators(database.db, sql`true`)

/** An operator as a change has left them. */
export const readOperator = async (tx: Tx, id: string): Promise<Operator> =>
  (await readOperators(tx, sql`a.id = ${id}`))[0]!
