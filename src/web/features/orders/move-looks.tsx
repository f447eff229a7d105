import { Ban, CircleCheck, type LucideIcon, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OperatorMove } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import type { ButtonProps } from '#web/ui/button.tsx'
import { formatMoney } from './money.tsx'
import { getMemberName, isOver } from './order-facts.ts'

interface MoveLook {
  icon: LucideIcon
  tone: 'primary' | 'danger'
  /** In a row of the list. */
  rowVariant: ButtonProps['variant']
  consequence: (order: Order) => ReactNode
  /** After a conflict, where the move is still possible: what holds of the order. */
  still: (order: Order) => string
}

const stillWaits = (order: Order) => `still waits for ${formatMoney(order)}`

export const moveLooks: Record<OperatorMove, MoveLook> = {
  waiting_payment: {
    icon: Undo2,
    tone: 'danger',
    rowVariant: 'hover-danger',
    consequence: (order) => (
      <>
        {formatMoney(order)} from <bdi>{getMemberName(order)}</bdi> no longer counts as received, and the platform is
        told so.{' '}
        {isOver(order) ? 'The time to pay is over, so the order expires.' : 'The order waits for payment again.'}
      </>
    ),
    still: (order) => `is still paid by hand, ${formatMoney(order)}`,
  },
  paid: {
    icon: CircleCheck,
    tone: 'primary',
    rowVariant: 'default',
    consequence: (order) => (
      <>
        {formatMoney(order)} from <bdi>{getMemberName(order)}</bdi> for <bdi>{order.projectName}</bdi> counts as
        received. It can be undone until the platform completes the order.
      </>
    ),
    still: stillWaits,
  },
  cancelled: {
    icon: Ban,
    tone: 'danger',
    rowVariant: 'hover-danger',
    consequence: (order) => (
      <>
        <bdi>{getMemberName(order)}</bdi> can no longer pay {formatMoney(order)} for <bdi>{order.projectName}</bdi>.
        This can’t be undone.
      </>
    ),
    still: stillWaits,
  },
}
