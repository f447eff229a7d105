import type { UserDetail } from '#contract/users.ts'
import { formatCount } from '#web/lib/money.ts'
import { columnsOf } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Amount } from './amount.tsx'
import { CutText } from '#web/ui/cut-text.tsx'
import { Section } from '#web/ui/section.tsx'
import { Shown } from './shown.tsx'

const column = columnsOf<UserDetail['userFractions'][number]>()

const columns = [
  column.accessor('projectName', {
    header: 'Project',
    cell: ({ getValue }) => <CutText>{getValue()}</CutText>,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('amount', {
    header: 'Amount',
    cell: ({ getValue }) => <Amount value={getValue()} />,
    meta: { min: '180px', align: 'right', narrow: 'labelled' },
  }),
  column.accessor('tokenAddress', {
    header: 'Token address',
    cell: ({ getValue }) => <Hash value={getValue()} name="token address" />,
    meta: { width: '200px', narrow: 'labelled' },
  }),
  column.accessor('receivedAt', {
    header: 'Received',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: '200px', align: 'right', narrow: 'labelled' },
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
      <Shown count={userFractions.length} total={totals.userFractions} />
    </Section>
  )
}
