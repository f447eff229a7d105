import { sql } from 'drizzle-orm'
import { orderMoves } from '#contract/order-moves.ts'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { announce, auditAll } from '#server/core/audit.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'

const batchSize = 200

/**
 * Marks every waiting order as expired whose time is over by the database's clock (product 7.4). Returns the number of
 * orders. Several servers may run this at once: each takes orders that no other transaction has locked. An order that
 * an operator is deciding is left for the next run.
 */
export async function expireOrders(ctx: Ctx): Promise<number> {
  for (let marked = 0; ;) {
    const count = await expireBatch(ctx)
    marked += count
    if (count < batchSize) return marked
  }
}

type ExpiredOrder = { id: string; version: number; orderNumber: string; memberId: string; expiresAt: string }

const expireBatch = (ctx: Ctx): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<ExpiredOrder>(sql`
      WITH due AS MATERIALIZED (
        SELECT id FROM orders WHERE status = 'waiting_payment' AND expires_at <= now()
        ORDER BY expires_at LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE orders AS o SET status = 'expired', status_changed_by = ${ctx.actor.name}, status_changed_at = now(),
        version = o.version + 1
      FROM due WHERE o.id = due.id
      RETURNING o.id::text, o.order_number AS "orderNumber", o.member_id AS "memberId", o.version,
        ${sql.raw(instant('o.expires_at'))} AS "expiresAt"`)
    if (rows.length === 0) return 0
    await auditAll(
      tx,
      ctx,
      rows.map(({ id, orderNumber }) => ({
        action: orderMoves.expired.action,
        target: { type: 'order', id },
        details: { orderNumber, before: { status: 'waiting_payment' }, after: { status: 'expired' } },
      })),
    )
    await enqueueEvents(
      tx,
      ctx,
      rows.map(({ orderNumber, memberId, version, expiresAt }) =>
        platformEvent(orderMoves.expired.event, {
          id: orderNumber,
          version,
          data: { orderNumber, memberId, status: 'expired', at: expiresAt },
        }),
      ),
    )
    await announce(tx, 'orders')
    return rows.length
  })
