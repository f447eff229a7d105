import { cloneElement, type ReactElement, type ReactNode } from 'react'
import type { UserDetail } from '#contract/schemas/users.ts'
import { ApprovedBy } from '#web/approvals/approved-by.tsx'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useCanAny } from '#web/use-can.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { BankAccounts } from './bank-accounts.tsx'
import { Viewers } from './viewers.tsx'

const OptionalText = ({ value, missing = 'Not given' }: { value: string | null; missing?: string }) =>
  value ? <bdi>{value}</bdi> : <MissingValue>{missing}</MissingValue>

interface LinkedCountProps {
  count: number
  what: string
  /** The way to them, without children. */
  link: ReactElement<{ className?: string; children?: ReactNode }>
}

/** "12 orders", linked to their list. "None" has no link. */
function LinkedCount({ count, what, link }: LinkedCountProps) {
  if (count === 0) return <MissingValue>None</MissingValue>
  return cloneElement(link, {
    className: 'hit-area underline decoration-border-control underline-offset-3 hover:decoration-ink',
    children: `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`,
  })
}

function Ban({ detail: { user, banInfo } }: { detail: UserDetail }) {
  if (!user.kycBanned) return null
  return (
    <Section title="Ban" className="max-wide:row-start-1">
      <div className="rounded-l border border-danger-solid px-4 py-2">
        <Facts>
          <Fact name="Status">
            <BannedBadge />
          </Fact>
          <Fact name="Reason">
            <OptionalText value={banInfo?.reason ?? user.bannedReason} />
          </Fact>
          <Fact name="Banned on">
            {banInfo ? <Instant value={banInfo.bannedAt} /> : <MissingValue>Not known</MissingValue>}
          </Fact>
          {banInfo && (
            <Fact name="Banned by">
              <OptionalText value={banInfo.bannedBy} />
              <ApprovedBy
                type="user"
                id={user.id}
                change={{ actions: ['ban_user'], by: banInfo.bannedBy, at: banInfo.bannedAt }}
              />
            </Fact>
          )}
        </Facts>
      </div>
    </Section>
  )
}

/** How much there is of what the admin may view. */
function Activity({ detail: { user, totals } }: { detail: UserDetail }) {
  const canViewAny = useCanAny(['orders.view', 'transactions.view'])
  if (!canViewAny) return null
  return (
    <Section title="Activity">
      <Facts>
        <PermissionGate permission="orders.view">
          <Fact name="Orders">
            <LinkedCount count={totals.orders} what="order" link={<Link {...paths.orders({ userId: user.id })} />} />
          </Fact>
        </PermissionGate>
        <PermissionGate permission="transactions.view">
          <Fact name="Transactions">
            <LinkedCount
              count={totals.userTransactions}
              what="platform transaction"
              link={<Link {...paths.transactions({ tab: 'platform', userId: user.id })} />}
            />
          </Fact>
        </PermissionGate>
      </Facts>
    </Section>
  )
}

/** Profile (product 5.4): who the member is, and why they are banned. */
export function ProfileTab({ detail }: { detail: UserDetail }) {
  const { user } = detail
  return (
    <div className="grid items-start gap-x-10 gap-y-6 wide:grid-cols-2">
      <Section title="Profile">
        <Facts>
          <Fact name="First name">
            <OptionalText value={user.legalFirstName} />
          </Fact>
          <Fact name="Last name">
            <OptionalText value={user.legalLastName} />
          </Fact>
          <Fact name="Email">
            <OptionalText value={user.email} />
          </Fact>
          <Fact name="Phone">
            <OptionalText value={user.legalPhone} />
          </Fact>
          <Fact name="Membership id">
            <OptionalText value={user.membershipId} missing="Not assigned" />
          </Fact>
          <Fact name="KYC status">
            <KycBadge status={user.kycStatus} />
          </Fact>
        </Facts>
      </Section>
      <div className="space-y-6 max-wide:contents">
        <Ban detail={detail} />
        <Activity detail={detail} />
      </div>
      <PermissionGate permission="bank.view">
        <div className="min-w-0 wide:col-span-2">
          <BankAccounts userId={user.id} />
        </div>
      </PermissionGate>
      <PermissionGate permission="audit.view">
        <div className="min-w-0 wide:col-span-2">
          <Viewers userId={user.id} />
        </div>
      </PermissionGate>
    </div>
  )
}
