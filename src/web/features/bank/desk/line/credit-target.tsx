import type { ReactNode } from 'react'
import { refundCauseLabels } from '#contract/bank-allocations.ts'
import type {
  CandidateCredit,
  CandidateTransfer,
  CreditCandidate,
  RefundDue,
} from '#contract/schemas/bank-candidates.ts'
import { compareAmounts, formatAmount, isZero } from '#web/bank/amounts.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'

interface CreditTargetProps extends Pick<CreditCandidate, 'orders' | 'allocations'> {
  credit: CandidateCredit
  isTakenBack: boolean
  badges: ReactNode
}

/** When it was booked, on which account of ours, and from which account it came. */
const Booking = ({ credit: { bookedOn, accountName, payerAccount } }: { credit: CandidateCredit }) => (
  <p className="mt-1 text-13 wrap-anywhere text-quiet">
    {bookedOn ? `booked ${formatDay(bookedOn)}` : 'not booked'} to <bdi>{accountName}</bdi>
    {payerAccount && (
      <>
        {' '}
        · <bdi className="tabular-nums">{formatAccountNumber(payerAccount)}</bdi>
      </>
    )}
  </p>
)

/** The payment that money out takes back or pays back: who paid, when and how much, for which orders, and what of it is due. */
export function CreditTarget({ credit, isTakenBack, orders, allocations, badges }: CreditTargetProps) {
  const { lineId, payerName, amount, currency, refundDue, refundsDue, returnable } = credit
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 not-first:mt-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-13">
          <Link
            {...paths.bank({ line: lineId })}
            className="relative min-w-0 font-semibold wrap-anywhere link-subject hit-area"
          >
            Payment{' '}
            {payerName && (
              <>
                of <bdi>{payerName}</bdi>
              </>
            )}
          </Link>
          {badges}
        </p>
        <Booking credit={credit} />
        {(orders.length > 0 || refundsDue.length > 0) && (
          <ul aria-label="The outcome of it" className="mt-1 text-13">
            {orders.map(({ id, orderNumber }) => (
              <Share
                key={id}
                words="applied to"
                amount={allocations.find(({ orderId }) => orderId === id)?.amount}
                order={{ id, orderNumber }}
              />
            ))}
            {refundsDue.map((refund) => (
              <DueShare key={refund.id} refund={refund} />
            ))}
          </ul>
        )}
      </div>
      <p className="text-right text-13 max-roomy:text-left">
        <span className="whole-number font-semibold tabular-nums">
          {formatAmount(amount)} <span className="font-regular text-quiet">{currency}</span>
        </span>
        {isTakenBack && compareAmounts(returnable, amount) < 0 && (
          <span className="block text-12 text-quiet tabular-nums">{formatAmount(returnable)} can be taken back</span>
        )}
        {refundDue !== null && (
          <span className="block text-12 text-quiet tabular-nums">{formatAmount(refundDue)} to be paid back</span>
        )}
      </p>
    </div>
  )
}

interface ShareProps {
  words: string
  amount: string | undefined
  order: RefundDue['order']
}

/** "40.00 applied to ORD-7" */
const Share = ({ words, amount, order }: ShareProps) => (
  <li className="wrap-anywhere">
    {amount !== undefined && <span className="tabular-nums">{formatAmount(amount)} </span>}
    {words}
    {order && (
      <>
        {' '}
        <Link {...paths.order(order.id)} className="relative font-medium link-subject hit-area">
          <bdi>{order.orderNumber}</bdi>
        </Link>
      </>
    )}
  </li>
)

/** "20.00 to be paid back, overpaid, for ORD-7" */
const DueShare = ({ refund: { due, cause, order } }: { refund: RefundDue }) => (
  <Share
    words={`to be paid back, ${refundCauseLabels[cause].toLowerCase()}${order ? ', for' : ''}`}
    amount={due}
    order={order}
  />
)

interface TransferTargetProps {
  transfer: CandidateTransfer
  badges: ReactNode
}

/** The transfer of ours that came back: whom it paid, when and how much, and what is due again with it. */
export function TransferTarget({ transfer, badges }: TransferTargetProps) {
  const { lineId, amount, currency, bookedOn, payeeName, payeeAccount, kept, dueAgain } = transfer
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 not-first:mt-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-13">
          <Link
            {...paths.bank({ line: lineId })}
            className="relative min-w-0 font-semibold wrap-anywhere link-subject hit-area"
          >
            Returns the transfer{bookedOn && ` of ${formatDay(bookedOn)}`}
          </Link>
          {badges}
        </p>
        <p className="mt-1 text-13 wrap-anywhere text-quiet">
          to <bdi>{payeeName ?? 'an unnamed payee'}</bdi>
          {payeeAccount && (
            <>
              {' '}
              · <bdi className="tabular-nums">{formatAccountNumber(payeeAccount)}</bdi>
            </>
          )}
        </p>
        {dueAgain.length > 0 && (
          <ul aria-label="What becomes of it" className="mt-1 text-13">
            {dueAgain.map((due, at) => (
              <DueAgain key={at} due={due} />
            ))}
          </ul>
        )}
      </div>
      <p className="text-right text-13 max-roomy:text-left">
        <span className="whole-number font-semibold tabular-nums">
          {formatAmount(amount)} <span className="font-regular text-quiet">{currency}</span>
        </span>
        {!isZero(kept) && (
          <span className="block text-12 text-quiet tabular-nums">{formatAmount(kept)} kept as a fee</span>
        )}
      </p>
    </div>
  )
}

/** "910.00 to be paid back again, for ORD-7" */
const DueAgain = ({ due: { amount, orders } }: { due: CandidateTransfer['dueAgain'][number] }) => (
  <li className="wrap-anywhere">
    <span className="tabular-nums">{formatAmount(amount)}</span> to be paid back again
    {orders.map(({ id, orderNumber }, at) => (
      <span key={id}>
        {at === 0 ? ', for ' : ', '}
        <Link {...paths.order(id)} className="relative font-medium link-subject hit-area">
          <bdi>{orderNumber}</bdi>
        </Link>
      </span>
    ))}
  </li>
)

/** An allocation of a split that returns a transfer. */
export const ReturnPurpose = ({ transfer }: Pick<TransferTargetProps, 'transfer'>) => (
  <span className="block min-w-0 wrap-anywhere">
    <b>Returned transfer</b>
    {transfer.payeeName && (
      <>
        {' '}
        to <bdi>{transfer.payeeName}</bdi>
      </>
    )}
    <span className="block text-12 text-quiet">
      {formatAmount(transfer.amount)} {transfer.currency}
      {transfer.bookedOn && `, booked ${formatDay(transfer.bookedOn)}`}
    </span>
  </span>
)
