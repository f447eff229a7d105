import { cloneElement, type ReactElement, type ReactNode } from 'react'
import type { MemberDetail } from '#contract/schemas/members.ts'
import { Activity } from '#web/activity/activity.tsx'
import { ApprovedBy } from '#web/approvals/approved-by.tsx'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { BankAccounts } from './bank-accounts.tsx'
import { MemberOrders } from './member-orders.tsx'

const OptionalText = ({ value, missing = 'Not given' }: { value: string | null; missing?: string }) =>
  value ? <bdi>{value}</bdi> : <MissingValue>{missing}</MissingValue>

interface LinkedCountProps {
  count: number
  what: string
  /** The way to them, without children. */
  link: ReactElement<{ className?: string; children?: ReactNode }>
}

/** "12 orders", linked to their list; nothing for none. */
function LinkedCount({ count, what, link }: LinkedCountProps) {
  if (count === 0) return null
  return cloneElement(link, {
    className: 'hit-area link-reference',
    children: `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`,
  })
}

function Ban({ detail: { user, banInfo } }: { detail: MemberDetail }) {
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

/** The ways to the member's transactions in their lists. */
const Transactions = ({ detail: { user, totals } }: { detail: MemberDetail }) => (
  <Fact name="Transactions">
    <span className="flex flex-wrap gap-x-3 gap-y-2">
      <LinkedCount
        count={totals.userTransactions}
        what="platform transaction"
        link={<Link {...paths.transactions({ tab: 'platform', userId: user.id })} />}
      />
      <LinkedCount
        count={totals.blockchainTransactions}
        what="blockchain transaction"
        link={<Link {...paths.transactions({ userId: user.id })} />}
      />
      {totals.userTransactions + totals.blockchainTransactions === 0 && <MissingValue>None</MissingValue>}
    </span>
  </Fact>
)

/** Profile (product 5.4): who the member is, and why they are banned. */
export function ProfileTab({ detail }: { detail: MemberDetail }) {
  const { user } = detail
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 wide:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
      <div className="grid min-w-0 gap-6 max-wide:contents">
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
            <PermissionGate permission="transactions.view">
              <Transactions detail={detail} />
            </PermissionGate>
          </Facts>
        </Section>
        <Ban detail={detail} />
        <PermissionGate permission="bank.view">
          <BankAccounts userId={user.id} />
        </PermissionGate>
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
        <PermissionGate permission="orders.view">
          <MemberOrders userId={user.id} total={detail.totals.orders} />
        </PermissionGate>
        <Activity subject={{ type: 'user', id: user.id }} />
      </div>
    </div>
  )
}
