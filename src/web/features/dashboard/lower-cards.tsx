import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, CircleCheck, CircleX, Clock, Users } from 'lucide-react'
import type { ListedTransaction } from '#contract/schemas/transactions.ts'
import type { Member } from '#contract/schemas/members.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { displayName, memberRoutes } from '#contract/members.ts'
import { buildQuery } from '#web/api.ts'
import { Link } from '#web/link.tsx'
import { formatSignedDollars, transactionTypes } from '#web/members/transactions.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Subject } from '#web/ui/subject.tsx'
import { Health } from './health.tsx'
import { KycRates } from './kyc-rates.tsx'
import { slots } from './lower-slots.tsx'
import { OrderPipeline } from './order-pipeline.tsx'
import { QuickActions } from './quick-actions.tsx'
import { recent, RecentList } from './recent-list.tsx'
import { Transfers } from './transfers.tsx'

/** The cards below the figures. */
export default function LowerCards() {
  return (
    <>
      <PermissionGate permission="kyc.view">
        <KycRates {...slots.rates} />
      </PermissionGate>
      <PermissionGate permission="orders.view">
        <OrderPipeline {...slots.pipeline} />
      </PermissionGate>
      <QuickActions {...slots.actions} />
      <PermissionGate permission="transactions.view">
        <Transfers {...slots.transfers} />
      </PermissionGate>
      <Health {...slots.health} />
      <PermissionGate permission="members.view">
        <RecentMembers {...slots.users} />
      </PermissionGate>
      <PermissionGate permission="transactions.view">
        <RecentTransactions {...slots.transactions} />
      </PermissionGate>
    </>
  )
}

function RecentTransactions({ title, className }: { title: string; className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(buildQuery(transactionRoutes.list, { query: recent }))
  return (
    <RecentList
      title={title}
      what="recent transactions"
      className={className}
      viewAll={
        <Link {...paths.transactions({ tab: 'platform' })} aria-label="View All transactions">
          View All
        </Link>
      }
      items={data?.transactions}
      failure={isError ? { error, retry: () => void refetch(), isRetrying: isFetching } : null}
      empty={{
        icon: ArrowLeftRight,
        title: 'No transactions yet',
        text: 'Deposits and withdrawals appear here as soon as the platform sends them.',
      }}
    >
      {(transaction) => <TransactionRow transaction={transaction} />}
    </RecentList>
  )
}

function TransactionRow({ transaction }: { transaction: ListedTransaction }) {
  const { type, status, createdAt, user } = transaction
  const { label, icon: Icon } = transactionTypes[type]
  const name = displayName(user)
  const dollars = formatSignedDollars(transaction)
  return (
    <>
      <span className="grid size-7 shrink-0 place-items-center rounded-full bg-neutral-soft text-neutral-ink">
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 basis-0 text-13 leading-4.5">
        <div className="flex items-center gap-2 font-medium">
          {label}
          {/* Money that has not moved must not read as money that has. */}
          {status !== 'completed' && <UnsettledStatus status={status} />}
        </div>
        <Link
          {...paths.member(user.id)}
          title={name}
          className="hit-line block truncate text-12 text-quiet link-subject"
        >
          <bdi>{name}</bdi>
        </Link>
      </div>
      <div className="min-w-0 max-w-3/5 text-right leading-4.5">
        <div className="text-13 font-medium tabular-nums max-md:wrap-anywhere md:truncate" title={dollars}>
          {dollars}
        </div>
        <Instant value={createdAt} className="text-12 text-quiet" />
      </div>
    </>
  )
}

function UnsettledStatus({ status }: { status: 'pending' | 'failed' }) {
  const isFailed = status === 'failed'
  return (
    <Badge plain tone={isFailed ? 'danger' : 'warning'} icon={isFailed ? CircleX : Clock} className="gap-1! text-12!">
      {isFailed ? 'Failed' : 'Pending'}
    </Badge>
  )
}

function RecentMembers({ title, className }: { title: string; className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(buildQuery(memberRoutes.list, { query: recent }))
  return (
    <RecentList
      title={title}
      what="recent users"
      className={className}
      viewAll={
        <Link {...paths.members()} aria-label="View All users">
          View All
        </Link>
      }
      items={data?.users}
      failure={isError ? { error, retry: () => void refetch(), isRetrying: isFetching } : null}
      empty={{ icon: Users, title: 'No members yet', text: 'They appear here as soon as the platform sends them.' }}
    >
      {(member) => <MemberRow member={member} />}
    </RecentList>
  )
}

/** Product 5.1, display rules: name else e-mail, initial of the first name else of the e-mail, Verified or Pending. */
function MemberRow({ member }: { member: Member }) {
  const name = displayName(member)
  const second = name === member.email ? 'No name yet' : member.email
  return (
    <>
      <div className="min-w-0 flex-1">
        <Subject
          name={name}
          initialFrom={member.legalFirstName || member.email}
          link={<Link {...paths.member(member.id)} />}
        >
          <span className="block truncate" title={second}>
            {second}
          </span>
        </Subject>
      </div>
      {member.kycCompleted ? (
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
