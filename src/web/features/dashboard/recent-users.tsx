import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock, Users } from 'lucide-react'
import { displayName } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Subject } from '#web/ui/subject.tsx'
import { recentUsersQuery } from './queries.ts'
import { RecentList } from './recent-list.tsx'

export function RecentUsers({ title, className }: { title: string; className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(recentUsersQuery())
  return (
    <RecentList
      title={title}
      what="recent users"
      className={className}
      viewAll={
        <Link {...paths.users()} aria-label="View All users">
          View All
        </Link>
      }
      items={data?.users}
      failure={isError ? { error, retry: () => void refetch(), isRetrying: isFetching } : null}
      empty={{ icon: Users, title: 'No members yet', text: 'They appear here as soon as the platform sends them.' }}
    >
      {(user) => <UserRow user={user} />}
    </RecentList>
  )
}

/** Product 5.1, display rules: name else e-mail, initial of the first name else of the e-mail, Verified or Pending. */
function UserRow({ user }: { user: User }) {
  const name = displayName(user)
  const second = name === user.email ? 'No name yet' : user.email
  return (
    <>
      <div className="min-w-0 flex-1">
        <Subject name={name} initialFrom={user.legalFirstName || user.email} link={<Link {...paths.user(user.id)} />}>
          <span className="block truncate" title={second}>
            {second}
          </span>
        </Subject>
      </div>
      {user.kycCompleted ? (
        <Badge tone="success" icon={CircleCheck}>
          Verified
        </Badge>
      ) : (
        <Badge tone="warning" icon={Clock}>
          Pending
        </Badge>
      )}
    </>
  )
}
