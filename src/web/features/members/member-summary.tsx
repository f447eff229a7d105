import { kycSteps, kycWords, type KycStatus } from '#contract/kyc.ts'
import type { Member, MemberDetail } from '#contract/schemas/members.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Stat, Stats } from '#web/ui/stats.tsx'

/** The four cards (product 5.3); those that count lead to the tab with what they count. */
export function MemberSummary({ detail: { user, totals, blockchainTransactions } }: { detail: MemberDetail }) {
  const [latest] = blockchainTransactions
  return (
    <Stats label="Summary">
      <Stat
        name="User ID"
        small
        figure={
          <>
            <span title={user.id} className="min-w-0 truncate hash-text text-16!">
              {user.id}
            </span>
            <CopyButton text={user.id} label="Copy user id" />
          </>
        }
        comparison={
          <>
            Joined <Instant value={user.createdAt} className="max-md:whitespace-normal!" />
          </>
        }
      />
      <Stat
        name="Wallets"
        small
        figure={formatCount(totals.userWallets)}
        comparison="on BSC (BEP20)"
        link={<Link {...paths.member(user.id, { tab: 'wallets' })} resetScroll={false} />}
      />
      <PermissionGate permission="transactions.view">
        <Stat
          name="Blockchain Transactions"
          small
          figure={formatCount(totals.blockchainTransactions)}
          comparison={
            latest ? (
              <>
                last on <Instant value={latest.receivedAt} className="max-md:whitespace-normal!" />
              </>
            ) : (
              'none received yet'
            )
          }
          {...(latest && { link: <Link {...paths.member(user.id, { tab: 'transactions' })} resetScroll={false} /> })}
        />
      </PermissionGate>
      <Stat
        name="KYC Progress"
        small
        figure={`Step ${user.kycCurrentStep} of ${kycSteps.length}`}
        comparison={<Progress member={user} />}
        link={<Link {...paths.member(user.id, { tab: 'history' })} resetScroll={false} />}
      />
    </Stats>
  )
}

/** The step that the attempt has reached. */
const fills: Record<KycStatus, string> = {
  pending: 'bg-warning-solid',
  submitted: 'bg-warning-solid',
  under_review: 'bg-warning-solid',
  approved: 'bg-success-solid',
  rejected: 'bg-danger-solid',
}

/** The steps taken. The last one has the colour of the attempt's state. */
function Progress({ member: { kycCurrentStep, kycStatus } }: { member: Member }) {
  const last = kycStatus ? fills[kycStatus] : 'bg-accent'
  const isApproved = kycStatus === 'approved'
  const taken = isApproved ? last : 'bg-accent'
  const step = isApproved ? kycSteps.length : kycCurrentStep
  return (
    <span className="flex items-center gap-2">
      {kycWords(kycStatus)}
      <span aria-hidden className="grid flex-1 grid-cols-4 gap-[3px]">
        {kycSteps.map((name, index) => (
          <span
            key={name}
            className={cn(
              'keep-colour h-1 rounded-[2px]',
              index >= step ? 'bg-neutral-soft' : index === step - 1 ? last : taken,
            )}
          />
        ))}
      </span>
    </span>
  )
}
