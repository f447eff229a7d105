import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orderRoutes } from '#contract/orders.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate, CandidateTransfer } from '#contract/schemas/bank-candidates.ts'
import { displayName } from '#contract/members.ts'
import { buildQuery, call } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { nameCandidate } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { earlierQuery, FindDialog, useSearchText } from './find-dialog.tsx'
import { MemberKey } from '#web/features/bank/desk/line/member-key.tsx'

const mostFound = 20

/** Orders by number, member, e-mail or amount, those of the line's amount where nothing is typed. */
const ordersQuery = (search: string) => ({
  ...buildQuery(orderRoutes.list, { query: { search, page: 1, limit: mostFound } }),
  placeholderData: keepPreviousData,
})

const words = {
  field: 'Search orders',
  placeholder: 'Order number, member, e-mail, amount...',
  list: 'Orders and transfers',
  what: 'The orders',
  noMatch: 'No order or transfer matches',
  untyped: 'Orders and transfers with the amount of this line',
  none: 'No order has the amount of this line.',
}

interface FindOrderDialogProps {
  line: BankLine
  open: string
  /** What speaks for and against the chosen order; with no id the transfer that came back. */
  onFound: (candidate: Candidate) => void
  onClose: () => void
}

/** Finds an order, or a transfer that came back, that was not proposed. The server scores it like the others. */
export default function FindOrderDialog({ line, open, onFound, onClose }: FindOrderDialogProps) {
  const text = useSearchText()
  const orders = useQuery(ordersQuery(text.asked || formatAmount(open).replaceAll(',', '')))
  const transfers = useQuery(earlierQuery(line.id, text.asked))
  const score = useSingleMutation({
    mutationFn: ({ id: orderId }: Order) =>
      call(allocationRoutes.score, { params: { id: line.id }, body: { orderId } }),
    onSuccess: ({ candidate }) => onFound(candidate),
  })
  return (
    <FindDialog<Order | Candidate>
      title="Find an order or a transfer"
      words={words}
      text={text}
      found={[...(orders.data?.orders ?? []), ...(transfers.data?.candidates ?? [])]}
      most={mostFound}
      query={orders}
      isFetching={orders.isFetching || transfers.isFetching}
      choose={(chosen) => (isOrder(chosen) ? score.mutate(chosen) : onFound(chosen))}
      nameOption={(found) => (isOrder(found) ? found.id : nameCandidate(found))}
      isLocked={score.isPending}
      error={score.error}
      onClose={onClose}
    >
      {(found) =>
        isOrder(found) ? (
          <OrderOption order={found} />
        ) : (
          found.kind === 'return' && <TransferOption transfer={found.transfer} />
        )
      }
    </FindDialog>
  )
}

const isOrder = (found: Order | Candidate): found is Order => 'orderNumber' in found

function OrderOption({ order }: { order: Order }) {
  const { userFirstName, userLastName, userEmail } = order
  const member = displayName({ legalFirstName: userFirstName, legalLastName: userLastName, email: userEmail })
  return (
    <>
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-semibold wrap-anywhere">{order.orderNumber}</bdi>
          <OrderBadge status={order.status} />
        </span>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">
          <bdi>{member}</bdi> · <bdi>{order.projectName}</bdi>
        </span>
        <MemberKey order={order} />
      </span>
      <span className="whole-number tabular-nums">
        {formatAmount(order.investmentAmount)} <span className="text-quiet">{order.currency}</span>
      </span>
    </>
  )
}

/** A transfer of ours that was found for money which came in. */
function TransferOption({ transfer }: { transfer: CandidateTransfer }) {
  const { payeeName, payeeAccount, amount, currency, bookedOn, dueAgain } = transfer
  const details = [
    bookedOn ? `went out ${formatDay(bookedOn)}` : 'not booked',
    ...(payeeAccount ? [`to ${formatAccountNumber(payeeAccount)}`] : []),
    ...dueAgain.flatMap(({ orders }) => orders.map(({ orderNumber }) => `refund for ${orderNumber}`)),
  ]
  return (
    <>
      <span className="min-w-0">
        <span className="font-semibold">Returned transfer</span>{' '}
        <bdi className="wrap-anywhere">to {payeeName ?? 'an unnamed payee'}</bdi>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">{details.join(', ')}</span>
      </span>
      <span className="whole-number tabular-nums">
        {formatAmount(amount)} <span className="text-quiet">{currency}</span>
      </span>
    </>
  )
}
