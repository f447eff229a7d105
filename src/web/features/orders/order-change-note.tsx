import { useQuery } from '@tanstack/react-query'
import { orderStatusLabels } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { Note } from '#web/ui/note.tsx'
import { orderQuery } from './queries.ts'

/**
 * Says that somebody else has changed the order since it was read. Silent during the operator's own change
 * (`isSending`).
 */
export function OrderChangeNote({ order, isSending }: { order: Order; isSending: boolean }) {
  const now = useQuery(orderQuery(order.id)).data?.order
  if (!now || now.version <= order.version || now.status === order.status || isSending) return null
  return (
    <Note tone="warning" role="alert" className="mb-4">
      Set to {orderStatusLabels[now.status]} by <bdi>{now.statusChangedBy ?? 'somebody'}</bdi> meanwhile.
    </Note>
  )
}
