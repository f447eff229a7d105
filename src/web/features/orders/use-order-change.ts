import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orderRoutes, type Order, type SetOrderStatus } from '#contract/orders.ts'
import { ApiError, call, isUnauthorized, serverMessage } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { orderQuery, refetchOrders } from './queries.ts'

const failure = 'Failed to update order status'

/** The server's own words where it gave some (SPEC section 8, order update). */
const failureOf = (error: unknown) => (error instanceof ApiError ? serverMessage(error, failure) : failure)

/**
 * A move of an order, from a dialog that opened on `order`: its version is what the move is meant for. A refusal keeps
 * what was typed; after a conflict `reload` takes the order as it is now (PRODUCT 3.22).
 */
export function useOrderChange(order: Order, onDone: () => void) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(order)
  const change = useMutation({
    mutationFn: (body: SetOrderStatus) =>
      call(orderRoutes.setStatus, { params: { id: current.id }, body, ifMatch: current.version }),
    onSuccess: async () => {
      toast({ tone: 'success', title: 'Order Updated' })
      await refetchOrders(client)
      onDone()
    },
    onError: (error) => {
      // A session that has ended is told by the shared handler (SPEC section 8); no other toast covers it.
      if (!isUnauthorized(error)) toast({ tone: 'destructive', title: 'Error', description: failureOf(error) })
    },
  })
  const reload = useMutation({
    mutationFn: () => client.fetchQuery({ ...orderQuery(current.id), staleTime: 0 }),
    onSuccess: (fresh) => {
      setCurrent(fresh.order)
      change.reset()
      void refetchOrders(client)
    },
  })
  const failed = reload.error ?? change.error
  return {
    current,
    apply: change.mutate,
    isPending: change.isPending,
    refusal: failed ? serverMessage(failed) : null,
    isReloadOffered: change.error instanceof ApiError && change.error.status === 409,
    isReloading: reload.isPending,
    wasReloaded: reload.isSuccess && !change.error,
    reload: () => reload.mutate(),
  }
}
