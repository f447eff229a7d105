import { useQuery } from '@tanstack/react-query'
import type { MemberPayers } from '#contract/schemas/member-payers.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount, formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { MissingValue, Quiet, Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { payersQuery } from './queries.ts'

const link = 'hit-line block truncate link-reference'

const account = createColumns<MemberPayers['accounts'][number]>()
const payment = createColumns<MemberPayers['thirdParty'][number]>()

const Day = ({ day }: { day: string | null }) =>
  day ? <span className="whitespace-nowrap tabular-nums">{formatDay(day)}</span> : <MissingValue>None</MissingValue>

const accountColumns = [
  account.accessor('account', {
    header: 'Account',
    cell: ({ getValue }) => (
      <span className="flex min-w-0 items-center gap-1 tabular-nums">
        <span className="min-w-0">
          <TruncatedText>{formatAccountNumber(getValue())}</TruncatedText>
        </span>
        <CopyButton text={getValue()} label={`Copy account ${formatAccountNumber(getValue())}`} />
      </span>
    ),
    meta: { min: '180px', narrow: 'full' },
  }),
  account.accessor('payments', {
    header: 'Payments',
    cell: ({ getValue }) => formatCount(getValue()),
    meta: { width: '64px', align: 'right', narrow: 'labelled' },
  }),
  account.accessor('lastOn', {
    header: 'Last payment',
    cell: ({ getValue }) => <Day day={getValue()} />,
    meta: { width: '88px', narrow: 'labelled' },
  }),
  account.accessor('sharedWith', {
    header: 'Shared with',
    cell: ({ getValue }) => {
      const others = getValue()
      if (others === 0) return <MissingValue>Nobody</MissingValue>
      return (
        <span className="whitespace-nowrap text-warning-ink">
          {formatCount(others)} other {others === 1 ? 'member' : 'members'}
        </span>
      )
    },
    meta: { width: '112px', narrow: 'labelled' },
  }),
  account.accessor('confirmedAt', {
    header: 'Confirmed',
    cell: ({ row: { original } }) => (
      <span className="block min-w-0 truncate text-12 text-quiet">
        <Instant value={original.confirmedAt} /> by <bdi>{original.confirmedBy}</bdi>
      </span>
    ),
    meta: { min: '140px', hideBelow: 680, narrow: 'full' },
  }),
]

const paymentColumns = [
  payment.accessor('bookedOn', {
    header: 'Booked',
    cell: ({ getValue }) => <Day day={getValue()} />,
    meta: { width: '88px' },
  }),
  payment.display({
    id: 'payer',
    header: 'Payer',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Link
          {...paths.bank({ line: original.lineId })}
          className="hit-line link-subject block w-fit max-w-full font-medium"
        >
          {original.payer.name ? (
            <TruncatedText>{original.payer.name}</TruncatedText>
          ) : (
            <MissingValue>Unknown payer</MissingValue>
          )}
        </Link>
        {original.payer.account && (
          <span className="block text-12 text-quiet tabular-nums">
            <TruncatedText>{formatAccountNumber(original.payer.account)}</TruncatedText>
          </span>
        )}
      </div>
    ),
    meta: { min: '104px', narrow: 'full' },
  }),
  payment.accessor('order.orderNumber', {
    id: 'order',
    header: 'Order',
    cell: ({ row: { original } }) => (
      <Link {...paths.order(original.order.id)} title={original.order.orderNumber} className={link}>
        <bdi>{original.order.orderNumber}</bdi>
      </Link>
    ),
    meta: { min: '72px', narrow: 'full' },
  }),
  payment.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => (
      <span className="whole-number">
        {formatDecimal(original.amount, 2)} <span className="text-quiet">{original.currency}</span>
      </span>
    ),
    meta: { width: '104px', align: 'right', narrow: 'labelled' },
  }),
  payment.accessor('reason', {
    header: 'Reason',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        {original.reason ? <TruncatedText>{original.reason}</TruncatedText> : <MissingValue>None given</MissingValue>}
        <span className="block truncate text-12 text-quiet">
          by <bdi>{original.madeBy}</bdi> on <Instant value={original.madeAt} />
        </span>
      </div>
    ),
    meta: { min: '104px', narrow: 'full' },
  }),
]

/** The accounts a member has paid from, and who else has paid for the member (product 5.4). */
export function BankAccounts({ userId }: { userId: string }) {
  const query = useQuery(payersQuery(userId))
  const { data, error } = query
  if (!data && error)
    return (
      <Section title="Bank accounts">
        <LoadFailure what="The bank accounts" query={query} className="rounded-l border" />
      </Section>
    )
  if (!data)
    return (
      <Section title="Bank accounts">
        <output className="sr-only">Loading...</output>
        <Skeleton className="h-20 w-full" />
      </Section>
    )
  return (
    <div className="space-y-6">
      <Section title="Bank accounts" count={String(data.accounts.length)}>
        <RefreshFailure what="The bank accounts" query={query} className="mb-3" />
        {data.accounts.length === 0 ? (
          <Quiet>No bank accounts yet. They appear once this member’s payments are applied.</Quiet>
        ) : (
          <StaticTable
            label="Bank accounts"
            columns={accountColumns}
            rows={data.accounts}
            rowId={(each) => each.account}
          />
        )}
      </Section>
      {data.thirdParty.length > 0 && (
        <Section title="Paid by others" count={String(data.thirdParty.length)}>
          <StaticTable
            label="Paid by others"
            columns={paymentColumns}
            rows={data.thirdParty}
            rowId={({ lineId, order }) => `${lineId}-${order.id}`}
          />
        </Section>
      )}
    </div>
  )
}
