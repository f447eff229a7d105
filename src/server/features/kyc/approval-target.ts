import { eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { kycVerifications } from '#server/db/tables/kyc.ts'
import type { Target } from '#server/features/approvals/service.ts'
import { findMemberTarget } from '#server/features/members/service.ts'

/**
 * The member whom a verification is of, as the target of a request: a decision from a case and one from the member's
 * page are the same. The version is that of the verification. Null where there is none.
 */
export async function findCaseTarget(db: Db | Tx, id: string): Promise<Target | null> {
  if (!RowId.safeParse(id).success) return null
  const [found] = await db
    .select({ memberId: kycVerifications.memberId, version: kycVerifications.version })
    .from(kycVerifications)
    .where(eq(kycVerifications.id, id))
  const member = found && (await findMemberTarget(db, found.memberId))
  return member ? { ...member, version: found.version } : null
}
