import { cloneElement, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { type KycStatus, kycSteps } from '#contract/kyc.ts'
import type { Member } from '#contract/schemas/members.ts'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { titles } from '#web/activity/words.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { cn } from '#web/lib/cn.ts'
import { nameToken } from '#web/lib/hashes.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Skeleton } from '#web/ui/spinner.tsx'
import { useCan } from '#web/use-can.ts'
import { formatAgo } from './format-ago.ts'

const updateEveryMs = 30_000

/** How long ago something was, updated by the clock. */
function Ago({ instant }: { instant: string }) {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), updateEveryMs)
    return () => clearInterval(timer)
  }, [])
  const { amount, rest } = formatAgo(instant, now)
  return (
    <>
      <b className="text-16">{amount}</b> <span className="text-12 text-quiet">{rest}</span>
    </>
  )
}

/** Longer ones take the size of text, and the room of two figures; the longest do so in wide windows too. */
const longest = 11
const longestBesideOthers = 18

/** The first of several sums is the figure, the second stands below; the others are named by their number. They are never added up. */
export function Sums({ sums, decimals, more }: SumsProps) {
  const [first, second, ...others] = sums
  if (!first) return <None />
  const figure = formatDecimal(first.amount, decimals)
  const length = Math.max(figure.length, second ? formatDecimal(second.amount, decimals).length : 0)
  return (
    <>
      <dd data-digits={length > longestBesideOthers ? 'most' : length > longest ? 'many' : undefined}>
        <b
          className={cn(
            figure.length <= longest
              ? 'whole-number text-16'
              : figure.length <= longestBesideOthers
                ? 'text-13 wrap-anywhere'
                : 'text-12 font-normal tracking-tight wrap-anywhere',
          )}
        >
          {figure}
        </b>{' '}
        <bdi className="text-12 wrap-anywhere text-quiet">{nameToken(first.unit)}</bdi>
      </dd>
      {second && (
        <dd className="text-12 text-quiet">
          <span className="whole-number">{formatDecimal(second.amount, decimals)}</span>{' '}
          <bdi>{nameToken(second.unit)}</bdi>
        </dd>
      )}
      {more && others.length > 0 && (
        <dd className="text-12">{cloneElement(more, { children: `+ ${others.length} more` })}</dd>
      )}
    </>
  )
}
interface SumsProps {
  sums: { unit: string; amount: string }[]
  decimals?: number
  /** The link to all of them, where there may be several. */
  more?: ReactElement<{ children?: ReactNode }>
}

export const figuresLook = cn(
  'mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.5rem),1fr))] divide-x rounded-l border text-13 tabular-nums',
  '*:min-w-0 *:px-3.5 *:py-3 max-md:*:px-2.5',
)

/** Holdings by token, open orders by currency, and the last thing that happened: groups of a `dl`. */
export function MemberFigures({ id, peek }: { id: string; peek: MemberPeek | undefined }) {
  const canViewOrders = useCan('orders.view')
  const latest = peek?.activity.entries[0]
  const fractions = <Link {...paths.member(id, { tab: 'fractions' })} className="link-reference" />
  const waiting = <Link {...paths.orders({ userId: id, status: 'waiting_payment' })} className="link-reference" />
  return (
    <>
      <div>
        <dt className="text-12 text-quiet">Holdings</dt>
        {peek ? <Sums sums={peek.holdings} more={fractions} /> : <LoadingFigure />}
      </div>
      {canViewOrders && (
        <div>
          <dt className="text-12 text-quiet">Open orders</dt>
          {peek ? <Sums sums={peek.openOrders ?? []} decimals={2} more={waiting} /> : <LoadingFigure />}
        </div>
      )}
      <div>
        <dt className="text-12 text-quiet">Last activity</dt>
        {!peek && <LoadingFigure />}
        {latest && (
          <>
            <dd title={latest.at}>
              <Ago instant={latest.at} />
            </dd>
            <dd className="flex-1 basis-12 truncate text-12 text-quiet" title={titles[latest.type](latest)}>
              {titles[latest.type](latest)}
            </dd>
          </>
        )}
        {peek && !latest && <None />}
      </div>
    </>
  )
}

const LoadingFigure = () => (
  <dd>
    <Skeleton className="my-1 h-4 w-24" />
  </dd>
)

const None = () => <dd className="text-16 text-quiet">None</dd>

const looks: Record<KycStatus, { bar: string; ink: string; words: string }> = {
  approved: { bar: 'bg-success-solid', ink: 'text-success-ink', words: 'Approved' },
  rejected: { bar: 'bg-danger-solid', ink: 'text-danger-ink', words: 'Rejected' },
  under_review: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Under review' },
  submitted: { bar: 'bg-info-solid', ink: 'text-info-ink', words: 'Submitted' },
  pending: { bar: 'bg-warning-solid', ink: 'text-warning-ink', words: 'Pending' },
}
const notStarted = { bar: 'bg-neutral-solid', ink: 'text-quiet', words: 'Not started' }

interface KycBarProps {
  member: Member
  attemptNumber: number | null
  /** At the right of the words. */
  end?: ReactNode
}

/** The four steps in the colour of the outcome, with the outcome in words. */
export function KycBar({ member: { kycStatus, kycCurrentStep }, attemptNumber, end }: KycBarProps) {
  const { bar, ink, words } = kycStatus ? looks[kycStatus] : notStarted
  const taken = kycStatus === null ? 0 : kycCurrentStep
  return (
    <>
      <span aria-hidden className="grid grid-cols-4 gap-1">
        {kycSteps.map((name, index) => (
          <span key={name} className={cn('keep-colour h-1 rounded-[2px]', index < taken ? bar : 'bg-neutral-soft')} />
        ))}
      </span>
      <span className="mt-1.5 flex justify-between gap-3 text-12 text-quiet">
        <span className={cn('font-medium', ink)}>
          {words}
          {kycStatus !== null && attemptNumber !== null && ` on attempt ${attemptNumber}`}
        </span>
        {end}
      </span>
    </>
  )
}
