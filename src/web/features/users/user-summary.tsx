import { Link } from '@tanstack/react-router'
import { kycSteps } from '#contract/kyc.ts'
import type { UserDetail } from '#contract/users.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { paths } from '#web/paths.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Stat, Stats } from '#web/ui/stats.tsx'

/** The four cards (SPEC section 2); those that count lead to the tab with what they count. */
export function UserSummary({ detail: { user, totals, blockchainTransactions } }: { detail: UserDetail }) {
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
        link={<Link {...paths.user(user.id, { tab: 'wallets' })} resetScroll={false} />}
      />
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
        {...(latest && { link: <Link {...paths.user(user.id, { tab: 'transactions' })} resetScroll={false} /> })}
      />
      <Stat
        name="KYC Progress"
        small
        figure={`Step ${user.kycCurrentStep} of ${kycSteps.length}`}
        comparison={<Progress step={user.kycCurrentStep} />}
        link={<Link {...paths.user(user.id, { tab: 'history' })} resetScroll={false} />}
      />
    </Stats>
  )
}

const Progress = ({ step }: { step: number }) => (
  <span aria-hidden className="mt-1.5 grid grid-cols-4 gap-[3px]">
    {kycSteps.map((name, index) => (
      <span key={name} className={cn('h-1 rounded-[2px]', index < step ? 'bg-accent' : 'bg-neutral-soft')} />
    ))}
  </span>
)
