import type { FastifyInstance } from 'fastify'
import { orderMoveTexts } from '#contract/order-moves.ts'
import { orderRoutes } from '#contract/orders.ts'
import { mount } from '#server/http/mount.ts'
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

  mount(app, orderRoutes.setStatus, async (ctx, { params, body, ifMatch }) => {
    const order = await setOrderStatus(ctx, params.id, body, ifMatch)
    return { message: orderMoveTexts.done, order }
  })
}
