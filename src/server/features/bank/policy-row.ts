import type { Db, Tx } from '#server/db/client.ts'
import { bankPolicy } from '#server/db/tables/bank-parts.ts'

export type PolicyRow = typeof bankPolicy.$inferSelect

/** The reconciliation policy as it is stored: there is always one (product 7.11). */
export async function readPolicyRow(db: Db | Tx): Promise<PolicyRow> {
  const [row] = await db.select().from(bankPolicy)
  return row!
}
