import { bankReferenceLabels } from '#contract/bank.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns } from '#web/table/columns.ts'
import { lowBlocks, ShownBelow } from '#web/table/table-widths.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { nameUnknown } from '#web/bank/words.ts'
import { LineStateBadge } from '#web/bank/line-state-badge.tsx'
import { buildAccountColumn } from './account-column.tsx'

const column = createColumns<BankLine>()

/** The day of booking, and the value day where it is another one. */
const BookedDay = ({ line: { bookedOn, valueOn } }: { line: BankLine }) => (
  <span className="block leading-4.5 whitespace-nowrap tabular-nums">
    {bookedOn ? formatDay(bookedOn) : 'Not booked'}
    {valueOn && valueOn !== bookedOn && <span className="block text-12 text-quiet">Value {formatDay(valueOn)}</span>}
  </span>
)

/** Name, which leads to the line, over account, or in a low block over the text and the day. */
function Payer({ line, hasAccount }: { line: BankLine; hasAccount: boolean }) {
  const { id, accountId, payer } = line
  const { name, account } = payer
  const number = account === null ? null : formatAccountNumber(account)
  const day = line.bookedOn ? formatDay(line.bookedOn) : 'Not booked'
  return (
    <div className="min-w-0 leading-4.5">
      <Link
        data-row-link
        {...paths.bank({ line: id, ...(!hasAccount && { account: accountId }) })}
        className="hit-line link-subject block w-fit max-w-full font-medium"
      >
        {name ? <TruncatedText>{name}</TruncatedText> : <MissingValue>{nameUnknown(line)}</MissingValue>}
      </Link>
      {number && (
        <span className="block text-12 text-quiet tabular-nums blocks:hidden">
          <TruncatedText>{number}</TruncatedText>
        </span>
      )}
      <ShownBelow width={lowBlocks} className="text-12 text-quiet">
        <RemittanceText line={line} />
        <TruncatedText>{hasAccount ? `${day} · ${line.accountName}` : day}</TruncatedText>
      </ShownBelow>
    </div>
  )
}

/** What the payer wrote, else what the bank wrote. */
function RemittanceText({ line: { remittance, info, isReversal } }: { line: BankLine }) {
  const text = (remittance.length > 0 ? remittance : info).join(' ')
  return (
    <>
      {text ? <TruncatedText>{text}</TruncatedText> : <MissingValue>No text</MissingValue>}
      {isReversal && <span className="block text-12 text-warning-ink">Takes back an earlier line</span>}
    </>
  )
}

/** The text, and under it the values of hidden columns. */
function Remittance({ line, hasAccount }: { line: BankLine; hasAccount: boolean }) {
  return (
    <div className="min-w-0 leading-4.5">
      <RemittanceText line={line} />
      <span className="flex min-w-0 gap-2 text-12 text-quiet">
        {hasAccount && (
          <ShownBelow width={1180}>
            <TruncatedText>{line.accountName}</TruncatedText>
          </ShownBelow>
        )}
        <ShownBelow width={960}>
          <Reference line={line} />
        </ShownBelow>
      </span>
    </div>
  )
}

/** The payer's references tell more of a payment than the bank's. */
const importance = ['structured', 'endToEnd', 'mandate', 'bank', 'uetr']

function Reference({ line: { references } }: { line: BankLine }) {
  const [first] = references.toSorted((a, b) => importance.indexOf(a.kind) - importance.indexOf(b.kind))
  if (!first) return null
  const all = references.map(({ kind, reference }) => `${bankReferenceLabels[kind]}: ${reference}`).join('\n')
  return (
    <span title={all} className="block truncate hash-text">
      <span className="sr-only">{bankReferenceLabels[first.kind]}: </span>
      <bdi>{first.reference}</bdi>
    </span>
  )
}

/** Money in has a plus, money out a minus. */
const Amount = ({ line: { amount, currency, direction } }: { line: BankLine }) => (
  <span className="whole-number font-medium rows:@max-[45rem]:text-12">
    {direction === 'credit' ? '+' : '−'}
    {formatAmount(amount)} <span className="font-regular text-quiet">{currency}</span>
  </span>
)

/** The columns of the lines (product 5.13); `hasAccount` names the account of each, for the list of all accounts. */
export const lineColumns = (hasAccount: boolean) => [
  column.accessor('bookedOn', {
    header: 'Booked',
    cell: ({ row: { original } }) => <BookedDay line={original} />,
    meta: { width: '88px', narrow: 'hidden' },
  }),
  ...(hasAccount ? [buildAccountColumn<BankLine>('80px')] : []),
  column.display({
    id: 'payer',
    header: 'Payer or Payee',
    cell: ({ row: { original } }) => <Payer line={original} hasAccount={hasAccount} />,
    // The widest amount and the widest state leave no more of the narrowest table.
    meta: { min: '88px', narrow: 'subject' },
  }),
  column.display({
    id: 'text',
    header: 'Text',
    cell: ({ row: { original } }) => <Remittance line={original} hasAccount={hasAccount} />,
    meta: { min: '128px', narrow: 'hidden' },
  }),
  column.display({
    id: 'reference',
    header: 'Reference',
    cell: ({ row: { original } }) => <Reference line={original} />,
    meta: { min: '96px', hideBelow: 960, narrow: 'hidden' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <Amount line={original} />,
    meta: { width: '132px', align: 'right', narrow: 'aside' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ getValue }) => <LineStateBadge state={getValue()} />,
    meta: { width: '120px', narrow: 'aside' },
  }),
]
