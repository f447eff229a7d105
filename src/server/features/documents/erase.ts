import { eq, sql } from 'drizzle-orm'
import type { DocumentId } from '#server/adapters/document-store.ts'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { textArray } from '#server/db/parameters.ts'
import { pictureOf } from './store.ts'

const membersAtATime = 200

/**
 * Deletes the rows of pictures of some members who were approved or rejected so many days ago, but of none with a legal
 * hold or of one who has handed in again. Returns their files, and the members, who stay locked.
 */
export async function deleteDuePictures(
  tx: Tx,
  status: 'approved' | 'rejected',
  days: number,
): Promise<{ files: DocumentId[]; members: string[] }> {
  // A hold is placed with the member's row locked, so it either stands before the next statement or waits for this transaction.
  const due = await tx.execute<{ id: string }>(sql`
    SELECT m.id FROM members AS m
    WHERE m.kyc_status = ${status} AND m.kyc_decided_at < now() - make_interval(days => ${days})
      AND EXISTS (SELECT FROM documents AS d WHERE d.member_id = m.id AND d.created_at < m.kyc_decided_at)
      AND NOT EXISTS (SELECT FROM legal_holds AS h WHERE h.member_id = m.id)
    ORDER BY m.id LIMIT ${membersAtATime} FOR NO KEY UPDATE OF m SKIP LOCKED`)
  const ids = due.rows.map(({ id }) => id)
  const { rows } = await tx.execute<{ hash: string; memberId: string }>(sql`
    DELETE FROM documents AS d USING members AS m
    WHERE m.id = d.member_id AND m.id = ANY(${textArray(ids)}) AND d.created_at < m.kyc_decided_at
      AND NOT EXISTS (SELECT FROM legal_holds AS h WHERE h.member_id = m.id)
    RETURNING encode(d.stored_hash, 'hex') AS hash, d.member_id AS "memberId"`)
  return {
    files: rows.map(({ hash }) => pictureOf(Buffer.from(hash, 'hex'))),
    members: [...new Set(rows.map(({ memberId }) => memberId))],
  }
}

/** Deletes the rows of a member's documents. Returns their files, to be deleted once the transaction is over. */
export async function deleteDocuments(tx: Tx, memberId: string): Promise<DocumentId[]> {
  const rows = await tx
    .delete(documents)
    .where(eq(documents.memberId, memberId))
    .returning({ hash: documents.storedHash })
  return rows.map(({ hash }) => pictureOf(hash))
}
