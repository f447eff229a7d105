import type { FastifyInstance } from 'fastify'
import { moveApprovals, orderMoveTexts } from '#contract/order-moves.ts'
import { orderRoutes } from '#contract/orders.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { findOrderTarget } from './approval-target.ts'
import { getOrder, setOrderStatus } from './set-status.ts'
import { listOrders } from './list.ts'

export function registerOrderRoutes(app: FastifyInstance): void {
  mount(
    app,
    orderRoutes.list,
    async (ctx, { query }) => listOrders(ctx, query),
    ({ orders }) => ({ kind: 'orders', listed: orders.map(({ userId }) => userId) }),
  )

  mount(
    app,
    orderRoutes.detail,
    async (ctx, { params }) => ({ order: await getOrder(ctx, params.id) }),
    ({ order }) => ({ kind: 'order', opened: order.userId }),
  )

  mountApprovable(app, orderRoutes.setStatus, {
    action: ({ body }) => moveApprovals[body.status],
    findTarget: (db, { params }) => findOrderTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const order = await setOrderStatus(ctx, params.id, body, ifMatch)
      return { message: orderMoveTexts.done, order }
    },
  })
}
