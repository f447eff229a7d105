import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { admins, operatorInvitations } from '#server/db/tables/auth.ts'

/**
 * Ends the invitations whose links an operator may have: those that the operator made, and those whose approval showed the link.
 * Returns the names of those whose link still worked.
 */
export async function endInvitationsBy(tx: Tx, id: string): Promise<string[]> {
  const isFromOperator = or(eq(admins.invitedBy, id), eq(admins.invitationApprovedBy, id))
  const invited = await tx
    .select({ id: admins.id, username: admins.username })
    .from(admins)
    .where(isFromOperator)
    .orderBy(sql`lower(${admins.username})`)
  if (invited.length === 0) return []
  const ended = await tx
    .delete(operatorInvitations)
    .where(
      inArray(
        operatorInvitations.adminId,
        invited.map((each) => each.id),
      ),
    )
    .returning({ adminId: operatorInvitations.adminId, worked: sql<boolean>`${operatorInvitations.expiresAt} > now()` })
  const working = new Set(ended.filter(({ worked }) => worked).map(({ adminId }) => adminId))
  return invited.filter((each) => working.has(each.id)).map(({ username }) => username)
}

/** A sentence about ended invitations, to follow what was done to the operator who made them. */
export const describeEnded = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `, which ended ${names.length === 1 ? '1 invitation' : `${names.length} invitations`}: ${names.join(', ')}`
