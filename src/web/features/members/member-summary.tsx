import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { kycSteps } from '#contract/kyc.ts'
import type { MemberDetail } from '#contract/schemas/members.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { paths, type MemberTab } from '#web/paths.ts'
import { KycBar, MemberFigures } from '#web/peek/figures.tsx'
import { memberPeekQuery } from '#web/peek/queries.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'

interface FigureProps {
  name: string
  /** The tab with what the figure counts. */
  to?: { id: string; tab: MemberTab } | false
  /** After the figure, in small. */
  note: ReactNode
  className?: string
  children: ReactNode
}

const Figure = ({ name, to, note, className, children }: FigureProps) => (
  <div className={cn(to && 'relative transition-colors hover:bg-hover', className)}>
    <dt className="text-12 text-quiet">
      {to ? (
        <Link
          {...paths.member(to.id, { tab: to.tab })}
          resetScroll={false}
          className="-outline-offset-2! after:absolute after:inset-0"
        >
          {name}
        </Link>
      ) : (
        name
      )}
    </dt>
    <dd className="flex min-w-0 items-center text-16 font-semibold">{children}</dd>
    <dd className="text-12 text-quiet">{note}</dd>
  </div>
)

// Two rows with KYC beside both. In narrow windows two in a row, with what belongs to the figure below it.
const summaryLook = cn(
  'grid grid-cols-2 gap-px overflow-hidden rounded-[inherit] tabular-nums wide:grid-cols-[1.25fr_1fr_1fr_1.25fr]',
  '*:flex *:min-h-17.5 *:min-w-0 *:flex-wrap *:content-start *:items-baseline *:gap-x-2 *:px-3 *:py-2.25',
  '*:shadow-[0_0_0_1px_var(--border)] max-wide:*:*:basis-full max-wide:grid-flow-dense max-wide:*:has-[[data-digits]]:col-span-2 wide:*:has-[[data-digits=most]]:col-span-2 wide:*:min-h-14.5 wide:*:px-4 [&_dt]:basis-full',
)

function Transactions({ detail: { user, totals, blockchainTransactions } }: { detail: MemberDetail }) {
  const [latest] = blockchainTransactions
  return (
    <Figure
      name="Blockchain Transactions"
      to={latest !== undefined && { id: user.id, tab: 'transactions' }}
      note={
        latest ? (
          <>
            last on <Instant value={latest.receivedAt} />
          </>
        ) : (
          'none received yet'
        )
      }
    >
      {formatCount(totals.blockchainTransactions)}
    </Figure>
  )
}

/** The figures of product 5.4, those that count with the way to the tab that has what they count, and those of Peek. */
export function MemberSummary({ detail }: { detail: MemberDetail }) {
  const { user, totals } = detail
  const query = useQuery(memberPeekQuery(user.id))
  const { data: peek, error } = query
  return (
    <section aria-label="Summary" className="rounded-l border bg-card">
      <dl className={summaryLook}>
        <Figure
          name="User ID"
          note={
            <>
              Joined <Instant value={user.createdAt} />
            </>
          }
        >
          <span title={user.id} className="min-w-0 truncate hash-text text-13!">
            {user.id}
          </span>
          <CopyButton text={user.id} label="Copy user id" />
        </Figure>
        <Figure name="Wallets" to={{ id: user.id, tab: 'wallets' }} note="on BSC (BEP20)">
          {formatCount(totals.userWallets)}
        </Figure>
        <PermissionGate permission="transactions.view">
          <Transactions detail={detail} />
        </PermissionGate>
        {!peek && error ? (
          <div className="col-span-2 wide:col-span-3">
            <dt className="text-12 text-quiet">Holdings and orders</dt>
            <dd>
              <LoadFailure size="row" what="Holdings and orders" query={query} className="text-13" />
            </dd>
          </div>
        ) : (
          <MemberFigures id={user.id} peek={peek} />
        )}
        <Figure
          name="KYC Progress"
          to={{ id: user.id, tab: 'history' }}
          note={<KycBar member={user} attemptNumber={peek?.attemptNumber ?? null} />}
          className="col-span-2 content-center! *:basis-full *:last:pt-2.5 wide:col-[4] wide:row-[1/span_2]"
        >
          Step {user.kycCurrentStep} of {kycSteps.length}
        </Figure>
      </dl>
    </section>
  )
}
