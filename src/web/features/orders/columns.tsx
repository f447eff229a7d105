import { hasBankMoney, moveApprovals, type OperatorMove, orderMoves } from '#contract/order-moves.ts'
import type { ListedOrder, Order } from '#contract/schemas/orders.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { buttonsWidth, createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { HiddenBelow, lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MiddleTruncated } from '#web/ui/middle-truncated.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Money } from './money.tsx'
import { moveLooks } from './move-looks.tsx'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { findOwed, describeObstacle, isOpen, getMemberName, getMember, listMoves } from './order-facts.ts'

const column = createColumns<ListedOrder>()

/** Wider where an instant or a name is under the number, and where there is space. */
const numberWidth =
  'clamp(88px, max(min((100cqw - 720px) * 999, (1180px - 100cqw) * 999), (100cqw - 1400px) * 999), 140px)'

const secondLine = 'block text-12 text-quiet'

/** The number, and under it the values of hidden columns. */
function OrderNumber({ order }: { order: Order }) {
  return (
    <div className="min-w-0">
      <Link
        {...paths.order(order.id)}
        data-row-link
        title={order.orderNumber}
        aria-label={order.orderNumber}
        className="hit-area block font-medium tabular-nums link-subject"
      >
        <MiddleTruncated text={order.orderNumber} />
      </Link>
      <HiddenBelow width={880}>
        <ShownBelow width={1180} className={secondLine}>
          <Instant value={order.createdAt} />
        </ShownBelow>
      </HiddenBelow>
      <ShownBelow width={880} className={secondLine}>
        <span className="flex min-w-0 gap-1.5">
          <BannedMark member={getMember(order)} />
          <TruncatedText>{getMemberName(order)}</TruncatedText>
        </span>
        <Project order={order} />
      </ShownBelow>
    </div>
  )
}

/** Name over e-mail, or over the project where its column is hidden. */
function Member({ order }: { order: Order }) {
  const name = getMemberName(order)
  return (
    <div className="min-w-0">
      <TruncatedText>{name}</TruncatedText>
      <span className="flex min-w-0 gap-1.5 text-12 text-quiet">
        <BannedMark member={getMember(order)} />
        {name !== order.userEmail && (
          <HiddenBelow width={1100}>
            <TruncatedText>{order.userEmail}</TruncatedText>
          </HiddenBelow>
        )}
        <ShownBelow width={1100}>
          <Project order={order} />
        </ShownBelow>
      </span>
    </div>
  )
}

const Project = ({ order: { projectName, projectId }, className }: { order: Order; className?: string }) => (
  <bdi title={`${projectName} (${projectId})`} className={cn('block truncate text-left', className)}>
    {projectName}
  </bdi>
)

const noteLine = 'block text-12 rows:w-0 rows:min-w-full'

/** What the bank took back after the order was completed. */
const Owed = ({ owed }: { owed: string | null }) =>
  owed !== null && (
    <span className={`${noteLine} text-danger-ink`}>
      <span className="whole-number">{formatDecimal(owed, 2)}</span> taken back
    </span>
  )

/** What is said of the amount, as how much of it has come. That takes no width of its own. */
const InvestmentNotes = ({ order }: { order: ListedOrder }) => (
  <>
    {order.waitingLines > 0 && (
      <span className={`${noteLine} text-warning-ink`}>
        {order.waitingLines === 1 ? 'Bank line waits' : `${order.waitingLines} bank lines wait`}
      </span>
    )}
    {order.waitingApprovals.length > 0 && <span className={`${noteLine} text-warning-ink`}>Waits for approval</span>}
    {hasBankMoney(order) && (order.status === 'waiting_payment' || order.status === 'expired') && (
      <span className={`${noteLine} text-quiet`}>
        <span className="whole-number">{formatDecimal(order.received, 2)}</span> received
      </span>
    )}
    <Owed owed={findOwed(order)} />
  </>
)

/** When a payment is due, and how much time is left for it. */
const Expiry = ({ order }: { order: Order }) => (
  <span className="block leading-4.5">
    <Instant value={order.expiresAt} className="text-quiet" />
    {isOpen(order) && (
      <TimeLeft until={order.expiresAt} className="before:font-regular before:text-quiet before:content-['_·_']" />
    )}
  </span>
)

const Investment = ({ order }: { order: ListedOrder }) => (
  <>
    <Money order={order} />
    <HiddenBelow width={lowBlocks}>
      <InvestmentNotes order={order} />
    </HiddenBelow>
  </>
)

/** The status, and the time left where its column is hidden; in a low block beside the notes on the amount. */
const Status = ({ order }: { order: ListedOrder }) => (
  <>
    <OrderBadge status={order.status} />
    <span className="blocks:flex blocks:flex-wrap blocks:justify-end blocks:gap-x-1.5 blocks:@max-[22rem]:max-w-30">
      <ShownBelow width={lowBlocks}>
        <InvestmentNotes order={order} />
      </ShownBelow>
      {isOpen(order) && (
        <ShownBelow width={1040} className="text-12 rows:pl-1.5">
          <TimeLeft until={order.expiresAt} />
        </ShownBelow>
      )}
    </span>
  </>
)

interface ActionsProps {
  order: ListedOrder
  onMove: (order: Order, to: OperatorMove) => void
}
const Actions = ({ order, onMove }: ActionsProps) => (
  <RowActions>
    <Button asChild size="small">
      <Link {...paths.order(order.id)} tabIndex={-1} aria-label={`View ${order.orderNumber}`}>
        View
      </Link>
    </Button>
    <PermissionGate permission="orders.decide">
      {listMoves(order).map((to) => {
        const { rowButton } = orderMoves[to]
        return (
          rowButton &&
          !order.waitingApprovals.includes(moveApprovals[to]) && (
            <ChangeButton
              key={to}
              size="small"
              variant={moveLooks[to].rowVariant}
              aria-label={`${rowButton} ${order.orderNumber}`}
              disabled={describeObstacle(order) !== null}
              title={describeObstacle(order) ?? undefined}
              onClick={() => onMove(order, to)}
            >
              {rowButton}
            </ChangeButton>
          )
        )
      })}
    </PermissionGate>
  </RowActions>
)

/** The columns of the list (product 5.5, Orders list); `onMove` opens the dialog. */
export const orderColumns = (onMove: ActionsProps['onMove']) => [
  column.accessor('orderNumber', {
    header: 'Order Number',
    cell: ({ row: { original: order } }) => <OrderNumber order={order} />,
    meta: { width: numberWidth, cut: true, narrow: 'subject' },
  }),
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row: { original: order } }) => <Member order={order} />,
    meta: { min: '86px', hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('projectName', {
    header: 'Project',
    cell: ({ row: { original: order } }) => (
      <Project order={order} className="line-clamp-2 leading-4.5 whitespace-normal" />
    ),
    meta: { min: '72px', hideBelow: 1100, narrow: 'hidden' },
  }),
  column.accessor('investmentAmount', {
    header: 'Investment',
    cell: ({ row: { original: order } }) => <Investment order={order} />,
    meta: { width: '116px', align: 'right', narrow: 'aside' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row: { original: order } }) => <Status order={order} />,
    meta: { width: '130px', narrow: 'aside' },
  }),
  column.accessor('expiresAt', {
    header: 'Expires',
    cell: ({ row: { original: order } }) => <Expiry order={order} />,
    meta: { width: 'clamp(128px, (100cqw - 1500px) * 999, 228px)', hideBelow: 1040, narrow: 'hidden' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row: { original: order } }) => (
      <Instant value={order.createdAt} className="block leading-4.5 text-quiet" />
    ),
    meta: { width: instantWidth(1500), hideBelow: 1180, narrow: 'hidden' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original: order } }) => <Actions order={order} onMove={onMove} />,
    meta: { width: buttonsWidth(188, 206), align: 'right', narrow: 'hidden' },
  }),
]
