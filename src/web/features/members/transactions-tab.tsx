import type { MemberDetail } from '#contract/schemas/members.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { formatSignedDollars, transactionTypes } from '#web/members/transactions.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { TransactionBadge } from '#web/members/badges.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { NewestNote } from './newest-note.tsx'

/** Product 14: the first 10 of each. */
const shownRows = 10

const platform = createColumns<MemberDetail['userTransactions'][number]>()
const chain = createColumns<MemberDetail['blockchainTransactions'][number]>()

const platformColumns = [
  platform.accessor('type', {
    header: 'Type',
    cell: ({ getValue }) => transactionTypes[getValue()].label,
    meta: { width: '80px', grow: true },
  }),
  platform.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <span className="whole-number">{formatSignedDollars(original)}</span>,
    meta: { width: '120px', grow: true, align: 'right', narrow: 'end' },
  }),
  platform.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <TransactionBadge status={getValue()} />,
    meta: { width: '96px', grow: true, narrow: 'full' },
  }),
  platform.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(960), align: 'right', narrow: 'full' },
  }),
]

const chainColumns = [
  chain.accessor('transactionHash', {
    header: 'Hash',
    cell: ({ getValue }) => <Hash value={getValue()} name="transaction hash" />,
    meta: { width: '112px', grow: true, narrow: 'full' },
  }),
  chain.accessor('tokenSymbol', {
    header: 'Token',
    cell: ({ row: { original } }) => (
      <>
        {original.tokenSymbol === null ? (
          <MissingValue>Unknown</MissingValue>
        ) : (
          <TruncatedText>{original.tokenSymbol}</TruncatedText>
        )}
        {original.projectName !== null && (
          <ShownBelow width={740} className="text-12 text-quiet">
            <TruncatedText>{original.projectName}</TruncatedText>
          </ShownBelow>
        )}
      </>
    ),
    meta: { min: '64px', narrow: 'labelled' },
  }),
  chain.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <TokenAmount value={original.amount} unit={original.tokenSymbol} />,
    meta: { width: '120px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  chain.accessor('projectName', {
    header: 'Project',
    cell: ({ getValue }) => {
      const name = getValue()
      return name ? <TruncatedText>{name}</TruncatedText> : <MissingValue>None</MissingValue>
    },
    meta: { min: '128px', hideBelow: 740, narrow: 'labelled' },
  }),
  chain.accessor('receivedAt', {
    header: 'Received',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(960), align: 'right', narrow: 'labelled' },
  }),
]

export function TransactionsTab({ detail }: { detail: MemberDetail }) {
  const { userTransactions, blockchainTransactions, totals } = detail
  const platformRows = userTransactions.slice(0, shownRows)
  const chainRows = blockchainTransactions.slice(0, shownRows)
  const viewAll = (list: { tab?: 'platform' }) => (
    <Link {...paths.transactions({ ...list, userId: detail.user.id })} className="link-reference font-medium">
      View All
    </Link>
  )
  return (
    <div className="-mt-3 space-y-4">
      <Section title="Platform transactions" count={formatCount(totals.userTransactions)}>
        <StaticTable
          bleeds
          label="Platform transactions"
          columns={platformColumns}
          rows={platformRows}
          rowId={(transaction) => transaction.id}
          empty="No transactions found"
          hint="Deposits and withdrawals appear here as the platform sends them."
        />
        <NewestNote count={platformRows.length} total={totals.userTransactions}>
          {viewAll({ tab: 'platform' })}
        </NewestNote>
      </Section>
      <Section title="Blockchain transactions" count={formatCount(totals.blockchainTransactions)}>
        <StaticTable
          bleeds
          label="Blockchain transactions"
          columns={chainColumns}
          rows={chainRows}
          rowId={(transaction) => transaction.id}
        />
        <NewestNote count={chainRows.length} total={totals.blockchainTransactions}>
          {viewAll({})}
        </NewestNote>
      </Section>
    </div>
  )
}
