import { eq } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import type { Target } from '#server/features/approvals/service.ts'

/** An order as the target of a request. Null where there is none. */
export async function findOrderTarget(db: Db | Tx, id: string): Promise<Target | null> {
  if (!RowId.safeParse(id).success) return null
  const [order] = await db
    .select({
      name: orders.orderNumber,
      version: orders.version,
      memberId: orders.memberId,
      amount: orders.investmentAmount,
      currency: orders.currency,
    })
    .from(orders)
    .where(eq(orders.id, id))
  return order ? { type: 'order', id, ...order } : null
}
