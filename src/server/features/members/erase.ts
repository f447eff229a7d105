import { eq, sql } from 'drizzle-orm'
import { textArray } from '#server/db/parameters.ts'
import { unknownMemberError } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { members } from '#server/db/tables/members.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { StoredMember } from './ban.ts'

/** Stands in for what somebody wrote about an erased member. */
const erasedText = 'Erased'

/** Locks the member against everything that refers to it, until the transaction ends. Throws not_found. */
export async function lockForErasure(tx: Tx, id: string): Promise<StoredMember> {
  const [member] = await tx.select().from(members).where(eq(members.id, id)).for('update')
  if (!member) throw unknownMemberError(id)
  return member
}

/**
 * Removes what tells the person from the member's row. Lists go on showing a name, “Erased member” and the id, and the e-mail
 * that each row needs is one that nobody can have (RFC 6761).
 */
export async function emptyMember(tx: Tx, member: StoredMember): Promise<{ version: number; erasedAt: string }> {
  const [saved] = await tx
    .update(members)
    .set({
      // Ids may differ in case alone, e-mails may not.
      email: `${sha256(member.id).toString('hex').slice(0, 24)}@erased.invalid`,
      legalFirstName: 'Erased member',
      legalLastName: member.id,
      legalPhone: null,
      kycStatus: sql`CASE WHEN kyc_status IN ('approved', 'rejected') THEN kyc_status END`,
      kycDocumentType: null,
      kycFrontDocument: null,
      kycBackDocument: null,
      kycSelfie: null,
      kycRejectionReason: null,
      kycAdminNotes: null,
      bannedReason: member.banned ? erasedText : null,
      erasedAt: sql`now()`,
      version: member.version + 1,
    })
    .where(eq(members.id, member.id))
    .returning({ version: members.version, erasedAt: members.erasedAt })
  return { version: saved!.version, erasedAt: saved!.erasedAt! }
}

/** Takes the names of documents from members whose pictures are gone. */
export async function forgetPictures(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .update(members)
    .set({ kycFrontDocument: null, kycBackDocument: null, kycSelfie: null })
    .where(sql`${members.id} = ANY(${textArray(ids)})`)
}
