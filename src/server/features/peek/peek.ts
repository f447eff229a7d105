import { activityPage } from '#contract/activity.ts'
import type { MemberPeek, OrderPeek } from '#contract/schemas/peek.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { type RowOf, expressions, selectColumns, selectSums } from '#server/db/select.ts'
import { readMemberActivity, readOrderActivity } from '#server/features/activity/service.ts'
import { getOrder, readOrders } from '#server/features/orders/service.ts'
import { memberColumns, memberHoldings } from '#server/features/members/service.ts'
import { notFound } from '#server/lib/errors.ts'

interface Row extends RowOf<typeof memberColumns> {
  attemptNumber: number | null
  holdings: MemberPeek['holdings']
  openOrders: NonNullable<MemberPeek['openOrders']>
  nextOrderId: string | null
  reviewId: string | null
}

const openOrders = `FROM orders o WHERE o.member_id = $1 AND o.status = 'waiting_payment' AND o.expires_at > now()`

// The decision is of its own attempt, which a reset or a new attempt leaves behind.
const memberStatement = {
  name: 'member_peek',
  text: `SELECT ${selectColumns(expressions(memberColumns, 'm'))},
    CASE WHEN m.kyc_status IN ('approved', 'rejected') THEN m.kyc_decided_attempt ELSE nullif(m.kyc_submission_count, 0) END AS "attemptNumber",
    ${memberHoldings} AS holdings,
    ${selectSums(`SELECT o.currency AS unit, sum(o.investment_amount) AS amount ${openOrders} GROUP BY 1`)} AS "openOrders",
    (SELECT o.id::text ${openOrders} ORDER BY o.expires_at, o.id LIMIT 1) AS "nextOrderId",
    (SELECT v.id::text FROM kyc_verifications v WHERE v.member_id = $1 AND v.status = 'pending'
      ORDER BY v.attempt_number DESC LIMIT 1) AS "reviewId"
    FROM members m WHERE m.id = $1`,
}

/** Throws not_found. */
export async function peekMember(ctx: Ctx, id: string): Promise<MemberPeek> {
  const [{ rows }, activity] = await Promise.all([
    ctx.reads.query<Row>({ ...memberStatement, values: [id] }),
    readMemberActivity(ctx, id, { kind: undefined, before: undefined, limit: activityPage }),
  ])
  const [row] = rows
  if (!row) throw notFound('User')
  const { attemptNumber, holdings, openOrders, nextOrderId, reviewId, ...user } = row
  const mayViewOrders = hasPermission(ctx, 'orders.view')
  const [nextOrder = null] =
    mayViewOrders && nextOrderId !== null ? await readOrders(ctx.database.db, [nextOrderId]) : []
  return {
    user,
    attemptNumber,
    holdings,
    openOrders: mayViewOrders ? openOrders : null,
    nextOrder,
    reviewId: hasPermission(ctx, 'kyc.view') ? reviewId : null,
    activity,
  }
}

/** Throws not_found, also for what can be no order's id. */
export async function peekOrder(ctx: Ctx, id: string): Promise<OrderPeek> {
  const [order, activity] = await Promise.all([
    getOrder(ctx, id),
    readOrderActivity(ctx, id, { kind: undefined, before: undefined, limit: activityPage }),
  ])
  return { order, activity }
}
