import type { TransactionType } from '#contract/transactions.ts'
import type { UserDetail } from '#contract/users.ts'
import { formatCount, formatDollars } from '#web/lib/money.ts'
import { columnsOf } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Amount } from './amount.tsx'
import { TransactionBadge } from '#web/members/badges.tsx'
import { CutText } from '#web/ui/cut-text.tsx'
import { Missing, Section } from '#web/ui/section.tsx'
import { Shown } from './shown.tsx'

/** SPEC section 9: the first 10 of each. */
const shownRows = 10

const platform = columnsOf<UserDetail['userTransactions'][number]>()
const chain = columnsOf<UserDetail['blockchainTransactions'][number]>()

const types: Record<TransactionType, string> = { deposit: 'Deposit', withdrawal: 'Withdrawal', other: 'Other' }

const platformColumns = [
  platform.accessor('type', {
    header: 'Type',
    cell: ({ getValue }) => types[getValue()],
    meta: { width: '132px' },
  }),
  platform.accessor('amount', {
    header: 'Amount',
    // SPEC section 2, display rules: a withdrawal has a minus sign, everything else a plus sign.
    cell: ({ row: { original } }) => {
      const amount = formatDollars(original.amount, original.type === 'withdrawal' ? '-' : '+')
      return (
        <span title={amount} className="block max-md:wrap-anywhere md:truncate">
          {amount}
        </span>
      )
    },
    meta: { min: '160px', align: 'right', narrow: 'end' },
  }),
  platform.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <TransactionBadge status={getValue()} />,
    meta: { width: '160px', narrow: 'full' },
  }),
  platform.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '200px', align: 'right', narrow: 'full' },
  }),
]

const chainColumns = [
  chain.accessor('transactionHash', {
    header: 'Hash',
    cell: ({ getValue }) => <Hash value={getValue()} name="transaction hash" />,
    meta: { width: '164px', narrow: 'full' },
  }),
  chain.accessor('tokenSymbol', {
    header: 'Token',
    cell: ({ getValue }) => getValue() ?? <Missing>Unknown</Missing>,
    meta: { width: '104px', narrow: 'labelled' },
  }),
  chain.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <Amount value={original.amount} unit={original.tokenSymbol} />,
    meta: { width: 'clamp(232px, 24vw, 380px)', align: 'right', narrow: 'labelled' },
  }),
  chain.accessor('projectName', {
    header: 'Project',
    cell: ({ getValue }) => {
      const name = getValue()
      return name ? <CutText>{name}</CutText> : <Missing>None</Missing>
    },
    meta: { min: '160px', narrow: 'labelled' },
  }),
  chain.accessor('receivedAt', {
    header: 'Received',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '184px', align: 'right', narrow: 'labelled' },
  }),
]

export function TransactionsTab({ detail }: { detail: UserDetail }) {
  const { userTransactions, blockchainTransactions, totals } = detail
  const platformRows = userTransactions.slice(0, shownRows)
  const chainRows = blockchainTransactions.slice(0, shownRows)
  return (
    <div className="space-y-6">
      <Section title="Platform transactions" count={formatCount(totals.userTransactions)}>
        <StaticTable
          label="Platform transactions"
          columns={platformColumns}
          rows={platformRows}
          rowId={(transaction) => transaction.id}
          empty="No transactions found"
        />
        <Shown count={platformRows.length} total={totals.userTransactions} />
      </Section>
      <Section title="Blockchain transactions" count={formatCount(totals.blockchainTransactions)}>
        <StaticTable
          label="Blockchain transactions"
          columns={chainColumns}
          rows={chainRows}
          rowId={(transaction) => transaction.id}
          empty="No transactions found"
        />
        <Shown count={chainRows.length} total={totals.blockchainTransactions} />
      </Section>
    </div>
  )
}
