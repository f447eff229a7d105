import { useId, useState } from 'react'
import { moveApprovals, type OperatorMove, orderMoves } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { usePrefetchedRules, useWaitingActions } from '#web/approvals/approval-need.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { moveLooks } from './move-looks.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { describeObstacle, getMemberName, getMember, listMoves } from './order-facts.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

/** Amount, member and actions of an order. Its number is the page's h1. */
export function OrderHeader({ order, refresh }: { order: Order; refresh: () => Promise<boolean> }) {
  // The order as it was when the dialog opened. A change meanwhile becomes a conflict.
  const [deciding, setDeciding] = useState<{ order: Order; to: OperatorMove } | null>(null)
  const close = () => setDeciding(null)
  usePrefetch(listMoves(order).length > 0, StatusDialog)
  usePrefetchedRules()
  const amount = formatDecimal(order.investmentAmount, 2)
  return (
    <div className="mb-4 flex min-w-0 items-start gap-4 max-md:flex-wrap max-md:gap-3">
      <div className="min-w-0 flex-1 max-md:basis-48">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className={cn('text-28 font-[560] tabular-nums', amount.length > 14 && 'max-wide:text-20')}>
            <span className="whole-number">{amount}</span> <span className="text-16 text-quiet">{order.currency}</span>
          </p>
          <OrderBadge status={order.status} />
        </div>
        <p className="text-13 text-quiet wrap-anywhere">
          <span>Investment Order Details</span> · Ordered by{' '}
          <Link {...paths.member(order.userId)} className="link-reference font-medium">
            <bdi>{getMemberName(order)}</bdi>
          </Link>
          {order.userMembershipId && ` · ${order.userMembershipId}`} <BannedMark member={getMember(order)} />
        </p>
      </div>
      <div className="flex flex-wrap justify-end gap-2 max-md:justify-start md:max-w-[60%]">
        <RefreshButton refresh={refresh} done="Order data is up to date." />
        <PermissionGate permission="orders.decide">
          <MoveButtons order={order} onMove={(to) => setDeciding({ order, to })} />
        </PermissionGate>
      </div>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </LazyBoundary>
    </div>
  )
}

/** The moves of the order, and under them why none can be made while the bank's money is on it. */
function MoveButtons({ order, onMove }: { order: Order; onMove: (to: OperatorMove) => void }) {
  const id = useId()
  const waiting = useWaitingActions('order', order.id)
  const moves = listMoves(order).filter((to) => !waiting.has(moveApprovals[to]))
  const obstacle = moves.length > 0 ? describeObstacle(order) : null
  return (
    <>
      {moves.toReversed().map((to) => {
        const { icon: Icon, tone } = moveLooks[to]
        return (
          <ChangeButton
            key={to}
            variant={tone}
            disabled={obstacle !== null}
            {...(obstacle && { 'aria-describedby': id })}
            onClick={() => onMove(to)}
          >
            <Icon aria-hidden />
            {orderMoves[to].button}
          </ChangeButton>
        )
      })}
      {obstacle && (
        <p id={id} className="basis-full text-right text-12 text-quiet max-md:text-left">
          {obstacle}.
          {moves.includes('paid') &&
            ' Paid less a bank’s fee? Undo the payment, mark the order paid with the reason, and attach the payment again under Reconciliation.'}
        </p>
      )}
    </>
  )
}
