import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { UserX } from 'lucide-react'
import { displayName } from '#contract/users.ts'
import type { UserDetail } from '#contract/schemas/users.ts'
import { OpenApprovals } from '#web/approvals/open-approvals.tsx'
import { DetailPage } from '#web/detail-page.tsx'
import { usePageTitle } from '#web/lib/page.ts'
import { Link } from '#web/link.tsx'
import { paths, type UserTab } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { isUnknownUser, userQuery } from './queries.ts'
import { UserHeader } from './user-header.tsx'
import { UserSkeleton } from './user-skeleton.tsx'
import { UserSummary } from './user-summary.tsx'
import { listTabs } from './user-tabs.tsx'

const parent = { label: 'User Management', to: '/users' }
const backLink = <Link {...paths.users()}>Back to User Management</Link>

/** A member whole (product 5.4, user detail). */
export default function UserPage() {
  const { id } = useParams({ from: '/users/$id' })
  const query = useQuery(userQuery(id))
  return (
    <DetailPage
      entity="member"
      query={query}
      unknown={isUnknownUser(query.error) && <UnknownUser />}
      back={backLink}
      skeleton={<UserSkeleton />}
    >
      {(detail, refresh) => <MemberView key={id} detail={detail} refresh={refresh} />}
    </DetailPage>
  )
}

function MemberView({ detail, refresh }: { detail: UserDetail; refresh: () => Promise<boolean> }) {
  usePageTitle({ title: displayName(detail.user), parent })
  const navigate = useNavigate()
  const { tab = 'profile' } = useSearch({ from: '/users/$id' })
  const show = (value: UserTab) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, tab: value === 'profile' ? undefined : value }),
      resetScroll: false,
    })
  return (
    <>
      <UserHeader detail={detail} refresh={refresh} />
      <OpenApprovals type="user" id={detail.user.id} />
      <UserSummary detail={detail} />
      <Tabs label="Member" tabs={listTabs(detail)} value={tab} onChange={show} className="mt-6" />
    </>
  )
}

function UnknownUser() {
  usePageTitle({ title: 'User not found', parent })
  return (
    <EmptyState icon={UserX} title="User not found">
      There is no member with this id. Check the address for typos.
    </EmptyState>
  )
}
