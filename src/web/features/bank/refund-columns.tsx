import { refundCauseLabels } from '#contract/bank-allocations.ts'
import { buildRefundText } from '#contract/refund-text.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { RefundDue } from '#contract/schemas/bank-candidates.ts'
import { addAmounts, formatAmount, isZero, subtractAmount } from '#web/bank/amounts.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns } from '#web/table/columns.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { describeTransferReturn } from '#web/bank/words.ts'
import { buildAccountColumn } from './account-column.tsx'

const column = createColumns<BankLine>()

const sumDue = ({ refundsDue }: BankLine) => addAmounts('0', ...refundsDue.map(({ due }) => due))

/** Name, which leads to the line, over the whole account, which a transfer needs. */
function Payee({ line: { id, payer } }: { line: BankLine }) {
  const { name, account } = payer
  return (
    <div className="min-w-0 leading-4.5">
      <Link
        data-row-link
        {...paths.bank({ line: id })}
        className="hit-line link-subject block w-fit max-w-full font-medium"
      >
        {name ? <TruncatedText>{name}</TruncatedText> : <MissingValue>Unknown payee</MissingValue>}
      </Link>
      {account ? (
        <span className="flex min-w-0 items-center gap-0.5 text-12 text-quiet tabular-nums">
          <bdi className="min-w-0 break-all">{formatAccountNumber(account)}</bdi>
          <CopyButton text={account} label={`Copy ${formatAccountNumber(account)}`} />
        </span>
      ) : (
        <span className="block text-12 text-warning-ink">The bank named no account</span>
      )}
    </div>
  )
}

/** Why it is paid back, and the order that it was meant for. Of several refunds also how much each is. */
const Refund = ({ refund: { cause, order, due, amount }, isAlone }: { refund: RefundDue; isAlone: boolean }) => (
  <li className="min-w-0 leading-4.5">
    {refundCauseLabels[cause]}
    {order && (
      <>
        {', '}
        <Link {...paths.order(order.id)} className="hit-line link-reference font-medium">
          <bdi>{order.orderNumber}</bdi>
        </Link>
      </>
    )}
    {(!isAlone || due !== amount) && (
      <span className="block text-12 text-quiet tabular-nums">
        {formatAmount(due)}
        {!isZero(subtractAmount(amount, due)) && ` of ${formatAmount(amount)}`}
      </span>
    )}
  </li>
)

/** That the transfer of before came back, when and why, which leads to that line. */
const CameBack = ({ returned }: Pick<RefundDue, 'returned'>) =>
  returned && (
    <li className="min-w-0 text-12 leading-4.5 text-warning-ink">
      <Link {...paths.bank({ line: returned.lineId })} className="hit-line link-reference">
        {describeTransferReturn(returned)}
      </Link>
    </li>
  )

const Causes = ({ line: { refundsDue } }: { line: BankLine }) => (
  <ul className="grid min-w-0 gap-1 py-1.5 wrap-anywhere">
    {refundsDue.map((refund) => (
      <Refund key={refund.id} refund={refund} isAlone={refundsDue.length === 1} />
    ))}
    <CameBack returned={refundsDue.find(({ returned }) => returned !== null)?.returned ?? null} />
  </ul>
)

/** A text for the transfer. */
function TransferText({ line }: { line: BankLine }) {
  const text = buildRefundText(line)
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <span className="min-w-0 wrap-anywhere">{text}</span>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  )
}

function Due({ line }: { line: BankLine }) {
  const due = sumDue(line)
  return (
    <span className="block leading-4.5">
      <span className="whole-number font-medium">
        {formatAmount(due)} <span className="font-regular text-quiet">{line.currency}</span>
      </span>
      {!isZero(subtractAmount(line.amount, due)) && (
        <span className="block text-12 whitespace-nowrap text-quiet">of {formatAmount(line.amount)}</span>
      )}
    </span>
  )
}

/** The columns of the refunds that are due (product 5.13): one row a payment, with what its transfer needs. */
export const refundColumns = (hasAccount: boolean) => [
  column.display({
    id: 'payment',
    header: 'Payment',
    cell: ({ row: { original } }) => (
      <span className="whitespace-nowrap tabular-nums">
        {original.bookedOn ? formatDay(original.bookedOn) : 'Not booked'}
      </span>
    ),
    meta: { width: '88px' },
  }),
  ...(hasAccount ? [buildAccountColumn<BankLine>()] : []),
  column.display({
    id: 'payee',
    header: 'Payee',
    cell: ({ row: { original } }) => <Payee line={original} />,
    meta: { min: '160px', narrow: 'full' },
  }),
  column.display({
    id: 'cause',
    header: 'Cause and Order',
    cell: ({ row: { original } }) => <Causes line={original} />,
    meta: { min: '120px', narrow: 'full' },
  }),
  column.display({
    id: 'text',
    header: 'Transfer Text',
    cell: ({ row: { original } }) => <TransferText line={original} />,
    meta: { min: '120px', narrow: 'full' },
  }),
  column.display({
    id: 'due',
    header: 'Due',
    cell: ({ row: { original } }) => <Due line={original} />,
    meta: { width: '136px', align: 'right' },
  }),
]
