import type { MemberDetail } from '#contract/schemas/members.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { BalanceCell } from './balance-cell.tsx'
import { NewestNote } from './newest-note.tsx'

const column = createColumns<MemberDetail['userWallets'][number]>()

const columns = [
  column.accessor('walletAddress', {
    header: 'Address',
    cell: ({ getValue }) => <Hash value={getValue()} name="address" />,
    meta: { width: '116px', grow: true, narrow: 'full' },
  }),
  column.display({
    id: 'balance',
    header: 'Balance',
    cell: ({ row }) => <BalanceCell address={row.original.walletAddress} />,
    meta: { min: '180px', narrow: 'labelled' },
  }),
  column.display({
    id: 'network',
    header: 'Network',
    cell: () => <span className="whitespace-nowrap">BSC (BEP20)</span>,
    meta: { width: '88px', grow: true, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(720), align: 'right', narrow: 'labelled' },
  }),
]

export const WalletsTab = ({ detail: { userWallets, totals } }: { detail: MemberDetail }) => (
  <div className="-mt-5">
    <StaticTable
      bleeds
      label="Wallets"
      columns={columns}
      rows={userWallets}
      rowId={(wallet) => wallet.id}
      empty="No wallets found"
      hint="A wallet appears here as soon as the platform sends it."
    />
    <NewestNote count={userWallets.length} total={totals.userWallets} />
  </div>
)
