import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { RecentTransaction, TransactionType } from '#contract/transactions.ts'
import { displayName } from '#contract/users.ts'
import { formatDollars } from '#web/lib/money.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { recentTransactionsQuery } from './queries.ts'
import { RecentList } from './recent-list.tsx'

/** SPEC section 2, display rules: a withdrawal has a minus sign, a deposit and any other type a plus sign. */
const kinds: Record<TransactionType, { label: string; icon: LucideIcon; sign: '+' | '-' }> = {
  deposit: { label: 'Deposit', icon: ArrowDownLeft, sign: '+' },
  withdrawal: { label: 'Withdrawal', icon: ArrowUpRight, sign: '-' },
  other: { label: 'Other', icon: ArrowLeftRight, sign: '+' },
}

export function RecentTransactions({ className }: { className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(recentTransactionsQuery())
  return (
    <RecentList
      title="Recent Transactions"
      what="recent transactions"
      className={className}
      viewAll={
        <Link {...paths.transactions()} aria-label="View All transactions">
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

function TransactionRow({
  transaction: { type, amount, status, createdAt, user },
}: {
  transaction: RecentTransaction
}) {
  const { label, icon: Icon, sign } = kinds[type]
  const name = displayName(user)
  const dollars = formatDollars(amount, sign)
  return (
    <>
      <span className="grid size-7 shrink-0 place-items-center rounded-full bg-neutral-soft text-neutral-ink">
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 basis-0 text-13 leading-4.5">
        <div className="flex items-center gap-2 font-medium">
          {label}
          {/* Money that has not moved must not read as money that has. */}
          {status !== 'completed' && <Unsettled status={status} />}
        </div>
        <Link
          {...paths.user(user.id)}
          title={name}
          className="block truncate text-12 text-quiet hover:underline hover:decoration-border-control hover:underline-offset-3"
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

function Unsettled({ status }: { status: 'pending' | 'failed' }) {
  const isFailed = status === 'failed'
  return (
    <Badge plain tone={isFailed ? 'danger' : 'warning'} icon={isFailed ? CircleX : Clock} className="gap-1! text-12!">
      {isFailed ? 'Failed' : 'Pending'}
    </Badge>
  )
}
