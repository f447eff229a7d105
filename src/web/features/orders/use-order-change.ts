import { orderRoutes, type Order, type SetOrderStatus } from '#contract/orders.ts'
import { ApiError, call, serverMessage } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { orderQuery, refetchOrders } from './queries.ts'

const failure = 'Failed to update order status'

/** A move of an order, from a dialog. */
export const useOrderChange = (order: Order, body: SetOrderStatus, onDone: () => void) =>
  useChange({
    entity: order,
    send: ({ id, version }) => call(orderRoutes.setStatus, { params: { id }, body, ifMatch: version }),
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...orderQuery(id), staleTime: 0 })).order,
    refetch: refetchOrders,
    success: 'Order Updated',
    // The server's own words where it gave some (SPEC section 8, order update).
    failure: (error) => (error instanceof ApiError ? serverMessage(error, failure) : failure),
    onDone,
  })
