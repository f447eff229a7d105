import { useState } from 'react'
import { moveApprovals, orderMoves, type OperatorMove } from '#contract/order-moves.ts'
import type { OrderPeek } from '#contract/schemas/peek.ts'
import { usePrefetchedRules, useWaitingActions } from '#web/approvals/approval-need.ts'
import { subtractAmount } from '#web/bank/amounts.ts'
import { formatMoney } from '#web/features/orders/money.tsx'
import { moveLooks } from '#web/features/orders/move-looks.tsx'
import { describeObstacle, getMember, getMemberName, isOpen, listMoves } from '#web/features/orders/order-facts.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { figuresLook, Sums } from './figures.tsx'
import { ActionBar } from './member-actions.tsx'

import { PeekedRecord } from './peeked-record.tsx'
import { orderPeekQuery } from './queries.ts'

const StatusDialog = lazy(() => import('#web/features/orders/status-dialog.tsx'))

export const OrderPanel = ({ id }: { id: string }) => (
  <PeekedRecord
    target={{ kind: 'order', id }}
    permission="orders.view"
    query={orderPeekQuery(id)}
    version={({ order }) => String(order.version)}
    name={({ order }) => `Order ${order.orderNumber}`}
    idOf={({ order }) => order.id}
    activity="order"
    Actions={OrderActions}
    Summary={Summary}
  />
)

const Summary = ({ peek }: { peek: OrderPeek }) => (
  <>
    <Identity peek={peek} />
    <Figures peek={peek} />
  </>
)

/** The amount first: it is what the order is about. */
function Identity({ peek: { order } }: { peek: OrderPeek }) {
  return (
    <div>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 text-28 font-semibold wrap-anywhere tabular-nums">
          {formatDecimal(order.investmentAmount, 2)}{' '}
          <span className="text-16 font-regular text-quiet">{order.currency}</span>
        </p>
        <span className="mt-1.5 shrink-0">
          <OrderBadge status={order.status} />
        </span>
      </div>
      <h2 className="mt-1 text-13 wrap-anywhere">{order.orderNumber}</h2>
      <p className="mt-0.5 text-13 wrap-anywhere text-quiet">
        <bdi>{order.projectName}</bdi> ·{' '}
        <Link {...paths.member(order.userId)} className="link-reference font-medium">
          <bdi>{getMemberName(order)}</bdi>
        </Link>{' '}
        <BannedMark member={getMember(order)} />
      </p>
    </div>
  )
}

function Figures({ peek: { order } }: { peek: OrderPeek }) {
  const outstanding = subtractAmount(order.investmentAmount, order.received)
  const isWaiting = order.status === 'waiting_payment'
  return (
    <dl className={figuresLook}>
      <div>
        <dt className="text-12 text-quiet">Received</dt>
        <Sums decimals={2} sums={[{ unit: order.currency, amount: order.received }]} />
      </div>
      {isWaiting && (
        <div>
          <dt className="text-12 text-quiet">Outstanding</dt>
          <Sums decimals={2} sums={[{ unit: order.currency, amount: outstanding }]} />
        </div>
      )}
      <div>
        <dt className="text-12 text-quiet">{isWaiting ? 'Expires' : 'Created'}</dt>
        <dd>
          <Instant value={isWaiting ? order.expiresAt : order.createdAt} />
        </dd>
        {isOpen(order) && (
          <dd className="text-12">
            <TimeLeft until={order.expiresAt} />
          </dd>
        )}
      </div>
    </dl>
  )
}

/** The moves that the order's state and the admin's role allow, and why none while the bank's money is on it. */
function OrderActions({ peek: { order }, onDone }: { peek: OrderPeek; onDone: () => void }) {
  const [to, setTo] = useState<OperatorMove | null>(null)
  const mayDecide = useCan('orders.decide')
  const waiting = useWaitingActions('order', order.id)
  const obstacle = describeObstacle(order)
  const moves =
    mayDecide && obstacle === null ? listMoves(order).filter((move) => !waiting.has(moveApprovals[move])) : []
  usePrefetch(moves.length > 0, StatusDialog)
  usePrefetchedRules()
  useShortcuts({ m: moves.includes('paid') && (() => setTo('paid')) })
  const close = () => {
    setTo(null)
    onDone()
  }
  return (
    <>
      <ActionBar
        reason={
          isOpen(order) ? (
            (obstacle ?? `${formatMoney(order)} awaited`)
          ) : (
            <span className="text-quiet">Nothing waits for this order</span>
          )
        }
      >
        {moves.toReversed().map((move) => (
          <ChangeButton
            key={move}
            variant={moveLooks[move].tone === 'primary' ? 'primary' : 'hover-danger'}
            onClick={() => setTo(move)}
          >
            {orderMoves[move].button}
            {move === 'paid' && <KeyHint onAccent>M</KeyHint>}
          </ChangeButton>
        ))}
      </ActionBar>
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={() => setTo(null)}>
        {to && <StatusDialog order={order} to={to} onClose={close} />}
      </LazyBoundary>
    </>
  )
}
