import { orderMoveTexts, orderStatusLabels } from '#contract/order-moves.ts'
import { orderRoutes } from '#contract/orders.ts'
import type { Order, SetOrderStatus } from '#contract/schemas/orders.ts'
import { ApiError, call, describeError } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { formatMoney } from './money.tsx'
import { orderQuery, refetchOrders } from './queries.ts'

/** A move of an order, from a dialog. */
export const useOrderChange = (order: Order, body: SetOrderStatus, onDone: () => void) =>
  useChange({
    entity: order,
    send: ({ id, version }) => call(orderRoutes.setStatus, { params: { id }, body, ifMatch: version }),
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...orderQuery(id), staleTime: 0 })).order,
    refetch: refetchOrders,
    success: orderMoveTexts.done,
    describe: (reply) =>
      `${reply.order.orderNumber} ${orderStatusLabels[reply.order.status].toLowerCase()} · ${formatMoney(reply.order)}`,
    // The server's message where it gave one (product 9.3, order update).
    failure: (error) =>
      error instanceof ApiError ? describeError(error, orderMoveTexts.failed) : orderMoveTexts.failed,
    onDone,
  })
