import type { UserDetail } from '#contract/schemas/users.ts'
import { formatCount } from '#web/lib/money.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'
import { Section } from '#web/ui/section.tsx'
import { NewestNote } from './newest-note.tsx'

const column = createColumns<UserDetail['userFractions'][number]>()

const columns = [
  column.accessor('projectName', {
    header: 'Project',
    cell: ({ row: { original } }) => (
      <>
        <TruncatedText>{original.projectName}</TruncatedText>
        <ShownBelow width={740} className="text-quiet">
          <Hash value={original.tokenAddress} name="token address" />
        </ShownBelow>
      </>
    ),
    meta: { min: '148px', narrow: 'full' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ getValue }) => <TokenAmount value={getValue()} />,
    meta: { width: '120px', grow: true, align: 'right', narrow: 'labelled' },
  }),
  column.accessor('tokenAddress', {
    header: 'Token address',
    cell: ({ getValue }) => <Hash value={getValue()} name="token address" />,
    meta: { width: '116px', grow: true, hideBelow: 740, narrow: 'labelled' },
  }),
  column.accessor('receivedAt', {
    header: 'Received',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(960), align: 'right', narrow: 'labelled' },
  }),
]

export function FractionsTab({ detail: { userFractions, totals } }: { detail: UserDetail }) {
  return (
    <Section title="Fractions" count={formatCount(totals.userFractions)}>
      <StaticTable
        label="Fractions"
        columns={columns}
        rows={userFractions}
        rowId={(fraction) => fraction.id}
        empty="No fractions found"
      />
      <NewestNote count={userFractions.length} total={totals.userFractions} />
    </Section>
  )
}
