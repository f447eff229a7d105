import { eq, sql } from 'drizzle-orm'
import type { DocumentId } from '#server/adapters/document-store.ts'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { textArray } from '#server/db/parameters.ts'
import { noteDeletions } from './keep-files.ts'
import { pictureOf } from './store.ts'

/** Most of them have had their pictures deleted already. */
const membersAtATime = 1000

/** Where a walk through the members in the order of their decisions stands. */
interface DecidedMember extends Record<string, unknown> {
  id: string
  decidedAt: string
}

/**
 * Looks at some members who were approved or rejected so many days ago, behind `after`, and deletes the rows of their
 * pictures, but of none with a legal hold or of one who has handed in again. Returns the files, the members, who stay
 * locked, and the last one that it looked at; undefined once there are no more.
 */
export async function deleteDuePictures(
  tx: Tx,
  { status, days, after }: { status: 'approved' | 'rejected'; days: number; after: DecidedMember | undefined },
): Promise<{ files: DocumentId[]; members: string[]; last: DecidedMember | undefined }> {
  const isDecided = sql`m.kyc_status = ${status} AND m.kyc_decided_at < now() - make_interval(days => ${days})`
  const from = sql`(${after?.decidedAt ?? '-infinity'}::timestamptz, ${after?.id ?? ''})`
  const looked = await tx.execute<DecidedMember>(sql`
    SELECT m.id, m.kyc_decided_at::text AS "decidedAt" FROM members AS m
    WHERE ${isDecided} AND (m.kyc_decided_at, m.id) > ${from}
    ORDER BY m.kyc_decided_at, m.id LIMIT ${membersAtATime}`)
  // A hold is placed with the member's row locked, so it either stands before the next statement or waits for this transaction.
  const due = await tx.execute<{ id: string }>(sql`
    SELECT m.id FROM members AS m
    WHERE m.id = ANY(${textArray(looked.rows.map(({ id }) => id))}) AND ${isDecided}
      AND EXISTS (SELECT FROM documents AS d WHERE d.member_id = m.id AND d.created_at < m.kyc_decided_at)
      AND NOT EXISTS (SELECT FROM legal_holds AS h WHERE h.member_id = m.id)
    ORDER BY m.id FOR NO KEY UPDATE OF m SKIP LOCKED`)
  const ids = due.rows.map(({ id }) => id)
  const { rows } = await tx.execute<{ hash: string; memberId: string }>(sql`
    DELETE FROM documents AS d USING members AS m
    WHERE m.id = d.member_id AND m.id = ANY(${textArray(ids)}) AND d.created_at < m.kyc_decided_at
      AND NOT EXISTS (SELECT FROM legal_holds AS h WHERE h.member_id = m.id)
    RETURNING encode(d.stored_hash, 'hex') AS hash, d.member_id AS "memberId"`)
  const files = rows.map(({ hash }) => pictureOf(Buffer.from(hash, 'hex')))
  await noteDeletions(tx, files)
  return { files, members: [...new Set(rows.map(({ memberId }) => memberId))], last: looked.rows.at(-1) }
}

/** Deletes the rows of a member's documents. Returns their files, to be deleted once the transaction is over. */
export async function deleteDocuments(tx: Tx, memberId: string): Promise<DocumentId[]> {
  const rows = await tx
    .delete(documents)
    .where(eq(documents.memberId, memberId))
    .returning({ hash: documents.storedHash })
  const files = rows.map(({ hash }) => pictureOf(hash))
  await noteDeletions(tx, files)
  return files
}
