import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { orderStatusLabels } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import type { OrderPayment, OrderPayments } from '#contract/schemas/bank-allocations.ts'
import { addAmounts, isZero } from '#web/bank/amounts.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { Approver } from './approver.tsx'
import { findOwed, findTakenBackByHand, getReceivedPercent } from './order-facts.ts'
import { PaymentTable } from './payment-table.tsx'
import { paymentsQuery } from './queries.ts'
import { WaitingLines } from '#web/bank/waiting-lines.tsx'

const UndoDialog = lazy(() => import('./undo-dialog.tsx'))

/** The lines of all statements that hold this text: an amount, a number. */
const findLines = (search: string) => paths.bank({ tab: 'lines', search })

/** The bank's money on an order (product 5.6): what came, what is missing, and from which lines. */
export function Payments({ order }: { order: Order }) {
  const query = useQuery(paymentsQuery(order.id))
  const { data, error } = query
  const [undoing, setUndoing] = useState<OrderPayment | null>(null)
  const close = () => setUndoing(null)
  usePrefetch(data?.payments.length !== undefined && data.payments.length > 0, UndoDialog)
  const find = data && !isZero(data.outstanding) ? `${data.outstanding} ${data.currency}` : order.orderNumber
  return (
    <Panel
      title="Payments"
      end={
        <Button asChild variant="ghost" size="small" className="-mr-2.5">
          <Link {...findLines(find)}>
            <Search aria-hidden />
            Find a Payment
          </Link>
        </Button>
      }
    >
      {data && <RefreshFailure what="The payments" query={query} className="mx-4 mb-3" />}
      {data ? (
        <LoadedPayments order={order} data={data} onUndo={setUndoing} />
      ) : error ? (
        <LoadFailure what="The payments" query={query} />
      ) : (
        <output className="block px-4 pb-4">
          <span className="sr-only">Loading...</span>
          <Skeleton className="h-10 w-120 max-w-full" />
        </output>
      )}
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {undoing && <UndoDialog order={order} payment={undoing} onClose={close} />}
      </LazyBoundary>
    </Panel>
  )
}

interface LoadedPaymentsProps {
  order: Order
  data: OrderPayments
  onUndo: (payment: OrderPayment) => void
}

function LoadedPayments({ order, data, onUndo }: LoadedPaymentsProps) {
  const active = data.payments.filter(({ allocation }) => allocation.undoneAt === null)
  const undone = data.payments.filter(({ allocation }) => allocation.undoneAt !== null)
  const now = { ...order, ...data, investmentAmount: data.asked }
  const owed = findOwed(now)
  const takenBack = findTakenBackByHand(now, data.takenBack)
  return (
    <>
      {takenBack !== null && <TakenBackByHand status={order.status} takenBack={takenBack} currency={data.currency} />}
      {owed !== null && <TakenBack owed={owed} currency={data.currency} />}
      <WaitingLines lines={data.waiting} advice="Open it to apply its money." className="mx-4 mb-4" />
      {(active.length > 0 || !isZero(data.received) || owed !== null) && (
        <Sums order={order} data={data} active={active} />
      )}
      {active.length > 0 ? (
        <PaymentTable payments={active} onUndo={onUndo} />
      ) : (
        owed === null && <NoPayments order={order} outstanding={data.outstanding} />
      )}
      {data.paidVia === 'hand' && active.length > 0 && (
        <p className="border-t px-4 py-2.5 text-13 text-quiet">
          <ByHand order={order} />
        </p>
      )}
      {undone.length > 0 && <UndonePayments payments={undone} />}
    </>
  )
}

/** Completing is final, so that what the bank takes back afterwards is owed. */
const TakenBack = ({ owed, currency }: { owed: string; currency: string }) => (
  <Note tone="danger" className="mx-4 mb-4">
    The bank took {formatDecimal(owed, 2)} {currency} back after this order was completed. It stays completed, and the
    money is owed: settle it with the platform, or apply the member’s new payment to it in Reconciliation.
  </Note>
)

/** Who marked it paid may know of other money, so that nothing else changes. */
const TakenBackByHand = ({
  status,
  takenBack,
  currency,
}: {
  status: Order['status']
  takenBack: string
  currency: string
}) => (
  <Note tone="danger" className="mx-4 mb-4">
    The bank took {formatDecimal(takenBack, 2)} {currency} back that was attached to this order. It was marked paid by
    hand and stays {orderStatusLabels[status].toLowerCase()}: see whether it was paid otherwise, else settle it with the
    platform, or attach the member’s new payment in Reconciliation.
  </Note>
)

interface SumProps {
  name: string
  amount: string
  currency: string
  isWarning?: boolean
}
const Sum = ({ name, amount, currency, isWarning = false }: SumProps) => (
  <div>
    <dt className="text-12 text-quiet">{name}</dt>
    <dd className={cn('text-16 font-semibold tabular-nums', isWarning && 'text-warning-ink')}>
      <span className="whole-number">{formatDecimal(amount, 2)}</span>{' '}
      <span className="text-12 font-regular text-quiet">{currency}</span>
    </dd>
  </div>
)

interface SumsProps {
  order: Order
  data: OrderPayments
  active: OrderPayment[]
}
function Sums({ order, data: { received, outstanding, asked, currency }, active }: SumsProps) {
  const refunds = active.flatMap(({ allocation }) => allocation.refundDue ?? [])
  const due = addAmounts('0', ...refunds)
  const percent = getReceivedPercent(order)
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3 px-4 pb-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Sum name="Received" amount={received} currency={currency} />
        <Sum name="Outstanding" amount={outstanding} currency={currency} isWarning={!isZero(outstanding)} />
        <Sum name="Asked" amount={asked} currency={currency} />
        {!isZero(due) && <Sum name="To refund" amount={due} currency={currency} isWarning />}
      </dl>
      <div className="mb-2 min-w-32 flex-1">
        <meter aria-label="Received" min={0} max={100} value={percent} className="sr-only">
          {Math.floor(percent)} %
        </meter>
        <div aria-hidden className="keep-colour h-2 overflow-hidden rounded-full bg-neutral-soft">
          <div className="h-full rounded-full bg-success-solid" style={{ width: `${percent}%` }} />
        </div>
      </div>
    </div>
  )
}

const link = 'link-reference font-medium'

const ByHand = ({ order, order: { statusChangedBy, status } }: { order: Order }) => (
  <>
    Marked paid by hand
    {status === 'paid' && statusChangedBy && (
      <>
        {' by '}
        <bdi>{statusChangedBy}</bdi>
        <Approver order={order} />
      </>
    )}
    .
  </>
)

const Quiet = ({ children }: { children: ReactNode }) => (
  <p className="max-w-150 px-4 pb-4 text-13 text-quiet">{children}</p>
)

function NoPayments({ order, outstanding }: { order: Order; outstanding: string }) {
  const { status, paidVia, orderNumber, currency } = order
  if (paidVia === 'hand')
    return (
      <Quiet>
        <ByHand order={order} /> No line of the bank is behind it.
      </Quiet>
    )
  if (status === 'paid' || status === 'completed')
    return <Quiet>No bank payment. The platform or an operator said that this order was paid.</Quiet>
  if (status === 'cancelled') return <Quiet>No bank payment came to this order before it was cancelled.</Quiet>
  return (
    <Quiet>
      No bank payment yet. One appears here once a line of a statement is applied to this order in Reconciliation. Look
      for it{' '}
      <Link {...findLines(`${outstanding} ${currency}`)} className={link}>
        by its amount
      </Link>{' '}
      or{' '}
      <Link {...findLines(orderNumber)} className={link}>
        by the order’s number
      </Link>
      .
    </Quiet>
  )
}

/** Payments that no longer count: who undid them, when and why. */
function UndonePayments({ payments }: { payments: OrderPayment[] }) {
  const id = useId()
  return (
    <div className="border-t px-4 py-3 text-12 text-quiet">
      <h3 id={id} className="font-medium">
        Undone
      </h3>
      <ul aria-labelledby={id} className="mt-1 space-y-1.5">
        {payments.map(({ allocation, line }) => (
          <li key={allocation.id} className="break-words">
            <s className="whole-number tabular-nums">
              {formatDecimal(allocation.amount, 2)} {allocation.currency}
            </s>{' '}
            of <bdi>{line.payer.name ?? 'an unnamed payer'}</bdi>
            {line.bookedOn && `, booked ${formatDay(line.bookedOn)}`}: undone by <bdi>{allocation.undoneBy}</bdi>
            {allocation.undoneAt && (
              <>
                {' on '}
                <Instant value={allocation.undoneAt} />
              </>
            )}
            , <bdi>“{allocation.undoReason}”</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
