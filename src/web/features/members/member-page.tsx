import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { UserX } from 'lucide-react'
import { displayName } from '#contract/members.ts'
import type { MemberDetail } from '#contract/schemas/members.ts'
import { OpenApprovals } from '#web/approvals/approval-note.tsx'
import { DetailPage } from '#web/detail-page.tsx'
import { nameToken } from '#web/lib/hashes.ts'
import { usePageTitle } from '#web/lib/page.ts'
import { Link } from '#web/link.tsx'
import { paths, type MemberTab } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { StaticTable } from '#web/table/static-table.tsx'
import { ShownBelow } from '#web/table/table-widths.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StripFigure } from '#web/ui/figure-strip.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { useSearchChange } from '#web/use-search-change.ts'
import { HistoryTab } from './history-tab.tsx'
import { KycTab } from './kyc-tab.tsx'
import { NewestNote } from './newest-note.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { isUnknownMember, memberQuery } from './queries.ts'
import { TransactionsTab } from './transactions-tab.tsx'
import { MemberHeader } from './member-header.tsx'
import { MemberSummary } from './member-summary.tsx'
import { WalletsTab } from './wallets-tab.tsx'

const column = createColumns<MemberDetail['userFractions'][number]>()

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

/** What the member holds of each token, which is never added up, and what it came from. */
const FractionsTab = ({ detail: { userFractions, holdings, totals } }: { detail: MemberDetail }) => (
  <>
    <section
      aria-label="Holdings"
      className="-mx-(--gutter) -mt-5 flex h-13.5 overflow-x-auto border-b *:min-w-44 max-md:h-18"
    >
      {holdings.map(({ unit, amount }) => (
        <StripFigure key={unit} name={nameToken(unit)} figure={<TokenAmount value={amount} />} />
      ))}
    </section>
    <StaticTable bleeds label="Fractions" columns={columns} rows={userFractions} rowId={(fraction) => fraction.id} />
    <NewestNote count={userFractions.length} total={totals.userFractions} />
  </>
)

/** Has the member's layout, so that nothing moves when the data loads. */
const MemberSkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden>
      <div className="mb-4 flex items-center gap-4 max-md:flex-wrap max-md:gap-3">
        <Skeleton className="size-11 shrink-0 rounded-full!" />
        <div className="min-w-0 flex-1">
          <Skeleton className="h-7 w-60 max-w-full" />
          <Skeleton className="mt-1 h-3.5 w-48 max-w-full" />
        </div>
        <Skeleton className="h-(--control) w-52 max-w-full rounded-m!" />
      </div>
      <Skeleton className="h-88 rounded-l! wide:h-29.75" />
      <div className="mt-4 mb-5 h-[39px] border-b max-md:h-[41px]" />
      <div className="max-w-150 space-y-4">
        {['w-56', 'w-48', 'w-64', 'w-40', 'w-52', 'w-44'].map((width) => (
          <Skeleton key={width} className={`h-5 ${width}`} />
        ))}
      </div>
    </div>
  </div>
)

const parent = { label: 'User Management', to: '/users' }
const backLink = <Link {...paths.members()}>Back to User Management</Link>

/** A member whole (product 5.4, user detail). */
export default function MemberPage() {
  const { id } = useParams({ from: '/users/$id' })
  const query = useQuery(memberQuery(id))
  return (
    <DetailPage
      entity="member"
      query={query}
      unknown={isUnknownMember(query.error) && <UnknownMember />}
      back={backLink}
      skeleton={<MemberSkeleton />}
    >
      {(detail, refresh) => <MemberView key={id} detail={detail} refresh={refresh} />}
    </DetailPage>
  )
}

function MemberView({ detail, refresh }: { detail: MemberDetail; refresh: () => Promise<boolean> }) {
  usePageTitle({ title: displayName(detail.user), parent })
  const changeSearch = useSearchChange()
  const { tab = 'profile' } = useSearch({ from: '/users/$id' })
  const show = (value: MemberTab) => changeSearch({ tab: value === 'profile' ? undefined : value })
  return (
    <>
      <MemberHeader detail={detail} refresh={refresh} />
      <OpenApprovals type="user" id={detail.user.id} />
      <MemberSummary detail={detail} />
      <Tabs label="Member" tabs={listTabs(detail)} value={tab} onChange={show} className="mt-4" />
    </>
  )
}

function UnknownMember() {
  usePageTitle({ title: 'User not found', parent })
  return (
    <EmptyState icon={UserX} title="User not found">
      There is no member with this id. Check the address for typos.
    </EmptyState>
  )
}

/** The tabs of a member; Transactions and Fractions only where there are some (product 5.4). */
function listTabs(detail: MemberDetail): Tab<MemberTab>[] {
  const { userWallets, userTransactions, blockchainTransactions, userFractions } = detail.totals
  const tabs: (Tab<MemberTab> | false)[] = [
    { value: 'profile', label: 'Profile', panel: <ProfileTab detail={detail} /> },
    { value: 'kyc', label: 'KYC Details', panel: <KycTab detail={detail} /> },
    { value: 'wallets', label: 'Wallets', count: userWallets, panel: <WalletsTab detail={detail} /> },
    blockchainTransactions > 0 && {
      value: 'transactions',
      label: 'Transactions',
      count: userTransactions + blockchainTransactions,
      panel: <TransactionsTab detail={detail} />,
    },
    userFractions > 0 && {
      value: 'fractions',
      label: 'Fractions',
      count: userFractions,
      panel: <FractionsTab detail={detail} />,
    },
    { value: 'history', label: 'KYC History', panel: <HistoryTab detail={detail} /> },
  ]
  return tabs.filter((tab) => tab !== false)
}
