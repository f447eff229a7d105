import type { ListedTransaction } from '#contract/schemas/transactions.ts'
import { platformTransactionList } from '#contract/lists.ts'
import { displayName } from '#contract/members.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { Link } from '#web/link.tsx'
import { TransactionBadge } from '#web/members/badges.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { MemberChip } from '#web/members/member-filter.tsx'
import { formatSignedDollars, TransactionTypeBadge } from '#web/members/transactions.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { HiddenBelow, ShownBelow } from '#web/table/table-widths.tsx'
import { useList } from '#web/table/use-list.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Subject } from '#web/ui/subject.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'

const column = createColumns<ListedTransaction>()

/** Name over e-mail, or over the transaction's id where its column is hidden. */
function Member({ transaction: { id, user } }: { transaction: ListedTransaction }) {
  const name = displayName(user)
  return (
    <Subject name={name} initialFrom={user.legalFirstName || user.email} link={<Link {...paths.member(user.id)} />}>
      <span className="flex min-w-0 gap-1.5">
        <BannedMark member={user} />
        <HiddenBelow width={880}>{name !== user.email && <TruncatedText>{user.email}</TruncatedText>}</HiddenBelow>
        <ShownBelow width={880}>
          <Id id={id} />
        </ShownBelow>
      </span>
    </Subject>
  )
}

/** The platform's own id, of any form. Truncated, the whole on hover. */
const Id = ({ id }: { id: string }) => (
  <span className="flex min-w-0 items-center gap-0.5">
    <span title={id} className="min-w-0 truncate hash-text">
      {id}
    </span>
    <CopyButton text={id} label={`Copy transaction id ${id}`} />
  </span>
)

const platformColumns = [
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row: { original } }) => <Member transaction={original} />,
    meta: { min: '148px', narrow: 'subject' },
  }),
  column.accessor('type', {
    header: 'Type',
    cell: ({ getValue }) => <TransactionTypeBadge type={getValue()} />,
    meta: { width: '100px', grow: true, narrow: 'hidden' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => <span className="whole-number">{formatSignedDollars(original)}</span>,
    meta: { width: '112px', grow: true, align: 'right', narrow: 'aside' },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <TransactionBadge status={getValue()} />,
    meta: { width: '100px', grow: true, narrow: 'aside' },
  }),
  column.accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(1100), narrow: 'aside' },
  }),
  column.accessor('id', {
    header: 'Transaction ID',
    cell: ({ getValue }) => <Id id={getValue()} />,
    meta: { min: '128px', hideBelow: 880, narrow: 'hidden' },
  }),
]

const none = 'No data available'
const origin = `${none}. Deposits and withdrawals appear here as soon as the platform sends them.`
const noHits = `${none}. Transactions are found by their member's name or email, or by their whole id.`

/** Movements on the members' accounts with the platform: what the dashboard's figure of today counts. */
export function PlatformTab() {
  const list = useList(platformTransactionList, transactionRoutes.list)
  const rows = list.query.data?.transactions
  const { search, isFiltered } = list.state
  const { userId } = list.values
  return (
    <DataTable
      label="Platform transactions"
      entity="transaction"
      columns={platformColumns}
      rows={rows}
      peek={({ user }) => ({ kind: 'member', id: user.id })}
      rowId={(transaction) => transaction.id}
      list={list}
      empty={search ? noHits : isFiltered ? none : origin}
      chips={userId && <MemberChip userId={userId} member={rows?.find(({ user }) => user.id === userId)?.user} />}
      toolbar={<ExportButton name="platformTransactions" query={list.filter} />}
    />
  )
}
