import { Ban, Hourglass, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasBankMoney, orderMoves, type OrderStatus } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Instant } from '#web/ui/instant.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Approver } from './approver.tsx'
import { getReceivedPercent, isOpen } from './order-facts.ts'
import { Step, WayOut, type WayState } from './timeline-parts.tsx'

const Detail = ({ children }: { children: ReactNode }) => <dd className="break-words text-quiet">{children}</dd>

/** Who brought the order into its state, and when, unless that stands beside it. */
const By = ({ order: { statusChangedBy, statusChangedAt }, isTimed }: { order: Order; isTimed?: true }) =>
  statusChangedBy && (
    <>
      by <bdi>{statusChangedBy}</bdi>
      {isTimed && statusChangedAt && (
        <>
          {' on '}
          <Instant value={statusChangedAt} />
        </>
      )}
    </>
  )

const OptionalInstant = ({ value, missing }: { value: string | null; missing: string }) =>
  value ? <Instant value={value} /> : missing

function Paid({ order, isClosed }: { order: Order; isClosed: boolean }) {
  const { status, paidAt, paidVia, received, investmentAmount, currency, expiresAt } = order
  const isPaid = status === 'paid' || status === 'completed'
  const isPart = !isPaid && hasBankMoney(order)
  return (
    <Step
      name="Paid at"
      state={isPaid ? 'done' : isPart ? 'part' : isClosed ? 'closed' : 'next'}
      share={getReceivedPercent(order)}
      reached={status === 'completed' ? 100 : 0}
      className="rows:col-span-2 rows:col-start-3"
    >
      <Detail>
        <OptionalInstant value={paidAt} missing="Not paid" />
      </Detail>
      {status === 'paid' && (
        <Detail>
          <By order={order} />
          {paidVia === 'hand' && ', by hand'}
          <Approver order={order} />
        </Detail>
      )}
      {paidVia === 'bank' && paidAt !== null && paidAt > expiresAt && (
        <Detail>After its end, with money that the bank booked in time</Detail>
      )}
      {isPart && (
        <Detail>
          <span className="font-medium text-ink tabular-nums">{formatDecimal(received, 2)}</span> of{' '}
          <span className="whole-number tabular-nums">{formatDecimal(investmentAmount, 2)}</span> {currency} received
        </Detail>
      )}
    </Step>
  )
}

function Completed({ order, isClosed }: { order: Order; isClosed: boolean }) {
  const { status, completedAt } = order
  return (
    <Step
      name="Completed at"
      state={status === 'completed' ? 'done' : isClosed ? 'closed' : 'next'}
      className="rows:col-start-5"
    >
      <Detail>
        <OptionalInstant value={completedAt} missing="Not completed" />
      </Detail>
      {status === 'completed' && order.statusChangedBy && (
        <Detail>
          <By order={order} />
        </Detail>
      )}
    </Step>
  )
}

interface Way {
  to: Extract<OrderStatus, 'expired' | 'cancelled'>
  name: string
  icon: LucideIcon
}
const ways: Way[] = [
  { to: 'expired', name: 'Expires', icon: Hourglass },
  { to: 'cancelled', name: 'Cancelled', icon: Ban },
]

function WayDetail({ order, to }: { order: Order; to: Way['to'] }) {
  if (to === 'expired')
    return (
      <>
        <Instant value={order.expiresAt} />
        {isOpen(order) && <TimeLeft until={order.expiresAt} className="before:text-quiet before:content-[',_']" />}
      </>
    )
  if (order.status === 'cancelled')
    return (
      <>
        <By order={order} isTimed />
        <Approver order={order} />
      </>
    )
  return 'With a reason, while nothing is received'
}

/** What was written with the last move, and the undone payment that an order waits again for. */
function Notes({ order }: { order: Order }) {
  const { status, statusChangedBy, notes } = order
  const label = status === 'cancelled' ? orderMoves.cancelled.notes.label : 'Notes'
  return (
    <>
      {status === 'waiting_payment' && statusChangedBy && (
        <div className="border-t py-2.25 rows:col-span-full rows:flex rows:gap-4">
          <dt className="shrink-0 font-semibold">Payment undone</dt>
          <Detail>
            <By order={order} isTimed />
            <Approver order={order} />
          </Detail>
        </div>
      )}
      {notes && (
        <div className="border-t py-2.25 rows:col-span-full rows:flex rows:gap-4">
          <dt className="shrink-0 font-semibold">{label}</dt>
          <dd className="min-w-0 break-words">
            <bdi className="whitespace-pre-line">{notes}</bdi>
          </dd>
        </div>
      )}
    </>
  )
}

/** The order's line from creation to completion with the ways off it, of which one was taken or all are still open. */
export function Timeline({ order }: { order: Order }) {
  const { status, createdAt } = order
  const taken = ways.find(({ to }) => to === status)
  const isPaid = status === 'paid' || status === 'completed'
  // Expires always stands there, Cancelled only while it is possible or has happened.
  const shown = ways.filter(({ to }) => to !== 'cancelled' || status === 'waiting_payment' || status === 'cancelled')
  const ordered = taken ? [taken, ...shown.filter((way) => way !== taken)] : shown
  const stateOf = ({ to }: Way): WayState => (to === status ? 'taken' : isOpen(order) ? 'open' : 'ended')
  return (
    <Panel title="Timeline">
      <div className="@container px-4 pt-1 pb-2 text-13 leading-4.5">
        <dl className="rows:grid rows:grid-cols-[11.5rem_minmax(0,10fr)_minmax(0,6fr)_minmax(0,10fr)_auto]">
          <Step
            name="Created"
            state="done"
            reached={isPaid ? 100 : taken ? 0 : getReceivedPercent(order)}
            branch={ordered[0] && stateOf(ordered[0])}
            className="rows:col-span-2"
          >
            <Detail>
              <Instant value={createdAt} />
            </Detail>
          </Step>
          {ordered.map((way, at) => {
            const below = ordered[at + 1]
            return (
              <WayOut key={way.to} {...way} state={stateOf(way)} next={below && stateOf(below)}>
                <WayDetail order={order} to={way.to} />
              </WayOut>
            )
          })}
          <Paid order={order} isClosed={taken !== undefined} />
          <Completed order={order} isClosed={taken !== undefined} />
          <Notes order={order} />
        </dl>
      </div>
    </Panel>
  )
}
