import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'

/** Deletes what was written about a member's orders. The orders stay. Returns how many had a note. */
export async function eraseOrderNotes(tx: Tx, memberId: string): Promise<number> {
  const changed = await tx
    .update(orders)
    .set({ notes: null })
    .where(and(eq(orders.memberId, memberId), isNotNull(orders.notes)))
    .returning({ id: orders.id })
  return changed.length
}
