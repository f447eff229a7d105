import { allocationRoutes } from '#contract/bank-allocations.ts'
import type { OrderPayment } from '#contract/schemas/bank-allocations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { orderRoutes } from '#contract/orders.ts'
import { ApiError, buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

export const orderQuery = (id: string) => buildQuery(orderRoutes.detail, { params: { id } })

export const paymentsQuery = (orderId: string) =>
  buildQuery(allocationRoutes.orderPayments, { params: { id: orderId } })

/** Fetches again what is shown of orders; resolves when it is there. */
export const refetchOrders = (client: QueryClient) => refetchReads(client, '/api/orders')

export const isUnknownOrder = (error: unknown) => error instanceof ApiError && error.status === 404

/** Fetches a payment of an order as it is now. Throws when it is gone. */
export async function fetchPayment(orderId: string, allocationId: string, client: QueryClient): Promise<OrderPayment> {
  const { payments } = await client.fetchQuery({ ...paymentsQuery(orderId), staleTime: 0 })
  const found = payments.find(({ allocation }) => allocation.id === allocationId)
  if (!found) throw new Error(`order ${orderId} has no payment ${allocationId}`)
  return found
}

/** Fetches again what is shown of orders and of the bank. */
export const refetchPayments = (client: QueryClient) => refetchReads(client, '/api/orders', '/api/bank')
