import { eq } from 'drizzle-orm'
import type { DocumentId } from '#server/adapters/document-store.ts'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { pictureOf } from './store.ts'

/** Deletes the rows of a member's documents. Returns their files, which are to be deleted once the transaction is over. */
export async function deleteDocuments(tx: Tx, memberId: string): Promise<DocumentId[]> {
  const rows = await tx
    .delete(documents)
    .where(eq(documents.memberId, memberId))
    .returning({ hash: documents.storedHash })
  return rows.map(({ hash }) => pictureOf(hash))
}
