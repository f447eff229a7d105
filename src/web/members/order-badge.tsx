import { Ban, Check, CircleCheck, Clock, Hourglass, type LucideIcon } from 'lucide-react'
import { orderStatusLabels, type OrderStatus } from '#contract/order-moves.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

export const orderLooks: Record<OrderStatus, { tone: Tone; icon: LucideIcon }> = {
  waiting_payment: { tone: 'warning', icon: Clock },
  paid: { tone: 'info', icon: Check },
  completed: { tone: 'success', icon: CircleCheck },
  expired: { tone: 'neutral', icon: Hourglass },
  cancelled: { tone: 'neutral', icon: Ban },
}

export const OrderBadge = ({ status }: { status: OrderStatus }) => (
  <Badge {...orderLooks[status]}>{orderStatusLabels[status]}</Badge>
)
