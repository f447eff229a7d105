import { eq } from 'drizzle-orm'
import { displayName } from '#contract/members.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { members } from '#server/db/tables/members.ts'
import type { Target } from '#server/features/approvals/service.ts'

/** A member as the target of a request. Null where there is none. */
export async function findMemberTarget(db: Db | Tx, id: string): Promise<Target | null> {
  const [member] = await db.select().from(members).where(eq(members.id, id))
  if (!member) return null
  return { type: 'user', id, name: displayName(member), version: member.version, memberId: id }
}
