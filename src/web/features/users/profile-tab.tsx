import { Link } from '@tanstack/react-router'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import type { UserDetail } from '#contract/schemas/users.ts'
import { formatCount } from '#web/lib/money.ts'
import { paths } from '#web/paths.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { Missing, Section } from '#web/ui/section.tsx'

const Text = ({ value, missing = 'Not given' }: { value: string | null; missing?: string }) =>
  value ? <bdi>{value}</bdi> : <Missing>{missing}</Missing>

interface CountProps {
  of: number
  what: string
  /** The way to them, without children. */
  link: ReactElement<{ className?: string; children?: ReactNode }>
}

/** "12 orders", as the way to them; where there are none, nothing to go to. */
function Count({ of, what, link }: CountProps) {
  if (of === 0) return <Missing>None</Missing>
  return cloneElement(link, {
    className: 'underline decoration-border-control underline-offset-3 hover:decoration-ink',
    children: `${formatCount(of)} ${what}${of === 1 ? '' : 's'}`,
  })
}

/** Profile (product 5.4): who the member is, and why they are banned. */
export function ProfileTab({ detail: { user, banInfo, totals } }: { detail: UserDetail }) {
  return (
    <div className="grid items-start gap-x-10 gap-y-6 wide:grid-cols-2">
      <Section title="Profile">
        <Facts>
          <Fact name="First name">
            <Text value={user.legalFirstName} />
          </Fact>
          <Fact name="Last name">
            <Text value={user.legalLastName} />
          </Fact>
          <Fact name="Email">
            <Text value={user.email} />
          </Fact>
          <Fact name="Phone">
            <Text value={user.legalPhone} />
          </Fact>
          <Fact name="Membership id">
            <Text value={user.membershipId} missing="Not assigned" />
          </Fact>
          <Fact name="KYC status">
            <KycBadge status={user.kycStatus} />
          </Fact>
        </Facts>
      </Section>
      <div className="space-y-6 max-wide:contents">
        {user.kycBanned && (
          <Section title="Ban" className="max-wide:row-start-1">
            <div className="rounded-l border border-danger-solid px-4 py-2">
              <Facts>
                <Fact name="Status">
                  <BannedBadge />
                </Fact>
                <Fact name="Reason">
                  <Text value={banInfo?.reason ?? user.bannedReason} />
                </Fact>
                <Fact name="Banned on">
                  {banInfo ? <Instant value={banInfo.bannedAt} /> : <Missing>Not known</Missing>}
                </Fact>
                {banInfo && (
                  <Fact name="Banned by">
                    <Text value={banInfo.bannedBy} />
                  </Fact>
                )}
              </Facts>
            </div>
          </Section>
        )}
        <Section title="Activity">
          <Facts>
            <Fact name="Orders">
              <Count of={totals.orders} what="order" link={<Link {...paths.orders({ userId: user.id })} />} />
            </Fact>
            <Fact name="Transactions">
              <Count
                of={totals.userTransactions}
                what="platform transaction"
                link={<Link {...paths.transactions({ tab: 'platform', userId: user.id })} />}
              />
            </Fact>
          </Facts>
        </Section>
      </div>
    </div>
  )
}
