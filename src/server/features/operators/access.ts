import { sql, type SQL } from 'drizzle-orm'
import type { signInWays } from '#contract/oidc.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { hasJoined, isAlive } from '#server/features/auth/service.ts'

async function readOperators(db: Db | Tx, only: SQL): Promise<Operator[]> {
  const { rows } = await db.execute<Operator & Record<string, unknown>>(sql`
    SELECT admins.id::text, admins.username, admins.role,
      CASE WHEN admins.disabled_at IS NOT NULL THEN 'disabled' WHEN NOT ${hasJoined} THEN 'invited' ELSE 'active' END AS state,
      ${sql.raw(instant('admins.created_at'))} AS "createdAt", ${sql.raw(instant('admins.last_sign_in_at'))} AS "lastSignInAt",
      (SELECT count(*)::int FROM sessions WHERE sessions.admin_id = admins.id AND ${isAlive}) AS sessions,
      (SELECT ${sql.raw(instant('i.expires_at'))} FROM operator_invitations i
        WHERE i.admin_id = admins.id AND i.expires_at > now()) AS "invitedUntil",
      inviters.username AS "invitedBy", approvers.username AS "invitationApprovedBy",
      (SELECT json_build_object('passkeys', count(*) FILTER (WHERE f.kind = 'passkey'), 'apps', count(*) FILTER (WHERE f.kind = 'totp'),
          'recoveryCodes', (SELECT count(*) FROM recovery_codes c WHERE c.admin_id = admins.id AND c.used_at IS NULL))
        FROM admin_factors f WHERE f.admin_id = admins.id) AS factors,
      (SELECT json_build_object('action', l.action, 'at', ${sql.raw(instant('l.created_at'))})
        FROM audit_log l WHERE lower(l.actor_name) = lower(admins.username) AND l.action NOT IN ('login', 'logout')
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1) AS "lastAction", admins.version
    FROM admins LEFT JOIN admins inviters ON inviters.id = admins.invited_by
      LEFT JOIN admins approvers ON approvers.id = admins.invitation_approved_by
    WHERE ${only} ORDER BY lower(admins.username), admins.id`)
  return rows
}

/** All operators by name. Their number is limited, so there are no pages. */
export const listOperators = async ({ database }: Ctx): Promise<Operator[]> => readOperators(database.db, sql`true`)

/** An operator as a change has left them. */
export const readOperator = async (tx: Tx, id: string): Promise<Operator> =>
  (await readOperators(tx, sql`admins.id = ${id}`))[0]!

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
