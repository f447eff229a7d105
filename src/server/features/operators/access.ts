import { sql } from 'drizzle-orm'
import type { signInWays } from '#contract/oidc.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { listOperators } from './list.ts'

/** What an operator can sign in with. */
export interface OperatorAccess extends Operator {
  isBreakGlass: boolean
  signInWays: (typeof signInWays)[number][]
  /** Until when a link works that opens sign-in to a browser; the password is needed beside it. */
  signInLinkUntil: string | null
}

interface WaysRow extends Record<string, unknown> {
  id: string
  hasPassword: boolean
  isLinked: boolean
  isBreakGlass: boolean
  signInLinkUntil: string | null
}

/** All operators by name, also those who can't sign in now, with their ways in. */
export async function listOperatorAccess(ctx: Ctx): Promise<OperatorAccess[]> {
  const operators = await listOperators(ctx)
  const { rows } = await ctx.database.db.execute<WaysRow>(sql`
    SELECT admins.id::text, admins.password_hash IS NOT NULL AS "hasPassword", admins.break_glass AS "isBreakGlass",
      EXISTS (SELECT FROM operator_identities i WHERE i.admin_id = admins.id) AS "isLinked",
      (SELECT ${sql.raw(instant('l.expires_at'))} FROM sign_in_links l
        WHERE l.admin_id = admins.id AND l.expires_at > now()) AS "signInLinkUntil"
    FROM admins`)
  const ways = new Map(rows.map((row) => [row.id, row]))
  return operators.map((operator) => {
    const {
      hasPassword = false,
      isLinked = false,
      isBreakGlass = false,
      signInLinkUntil = null,
    } = ways.get(operator.id) ?? {}
    return {
      ...operator,
      isBreakGlass,
      signInWays: [...(hasPassword ? ['password' as const] : []), ...(isLinked ? ['provider' as const] : [])],
      signInLinkUntil,
    }
  })
}
