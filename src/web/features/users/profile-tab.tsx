import type { UserDetail } from '#contract/users.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { Missing, Section } from '#web/ui/section.tsx'

const Text = ({ value, missing = 'Not given' }: { value: string | null; missing?: string }) =>
  value ? <bdi>{value}</bdi> : <Missing>{missing}</Missing>

/** Profile (SPEC section 2): who the member is, and why they are banned. */
export function ProfileTab({ detail: { user, banInfo } }: { detail: UserDetail }) {
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
            {user.kycStatus ? <KycBadge status={user.kycStatus} /> : <Missing>Not started</Missing>}
          </Fact>
        </Facts>
      </Section>
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
    </div>
  )
}
