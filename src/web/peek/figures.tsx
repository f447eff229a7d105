import { cloneElement, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import type { MemberPeek } from '#contract/schemas/peek.ts'
import { titles } from '#web/activity/words.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { cn } from '#web/lib/cn.ts'
import { nameToken } from '#web/lib/hashes.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
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

/** Longer ones take the size of text. */
const longest = 11

/** The first of several sums is the figure, the second stands below; the others are named by their number. They are never added up. */
function Sums({ sums, none, decimals, more }: SumsProps) {
  const [first, second, ...others] = sums
  if (!first) return <dd className="text-13 text-quiet">{none}</dd>
  const figure = formatDecimal(first.amount, decimals)
  return (
    <>
      <dd>
        <b className={cn(figure.length > longest ? 'text-13 wrap-anywhere' : 'whole-number text-16')}>{figure}</b>{' '}
        <bdi className="text-12 wrap-anywhere text-quiet">{nameToken(first.unit)}</bdi>
      </dd>
      {second && (
        <dd className="text-12 text-quiet">
          <span className="whole-number">{formatDecimal(second.amount, decimals)}</span>{' '}
          <bdi>{nameToken(second.unit)}</bdi>
        </dd>
      )}
      {others.length > 0 && <dd className="text-12">{cloneElement(more, { children: `+ ${others.length} more` })}</dd>}
    </>
  )
}
interface SumsProps {
  sums: { unit: string; amount: string }[]
  none: string
  decimals?: number
  /** The link to all of them. */
  more: ReactElement<{ children?: ReactNode }>
}

/** Holdings by token, open orders by currency, and the last thing that happened. */
export function MemberFigures({ peek: { user, holdings, openOrders, activity } }: { peek: MemberPeek }) {
  const [latest] = activity.entries
  return (
    <dl className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.5rem),1fr))] divide-x rounded-l border text-13 tabular-nums *:min-w-0 *:px-3.5 *:py-3 max-md:*:px-2.5">
      <div>
        <dt className="text-12 text-quiet">Holdings</dt>
        <Sums
          sums={holdings}
          none="None"
          more={<Link {...paths.member(user.id, { tab: 'fractions' })} className="link-reference" />}
        />
      </div>
      {openOrders && (
        <div>
          <dt className="text-12 text-quiet">Open orders</dt>
          <Sums
            sums={openOrders}
            none="None"
            decimals={2}
            more={<Link {...paths.orders({ userId: user.id, status: 'waiting_payment' })} className="link-reference" />}
          />
        </div>
      )}
      <div>
        <dt className="text-12 text-quiet">Last activity</dt>
        {latest ? (
          <>
            <dd title={latest.at}>
              <Ago instant={latest.at} />
            </dd>
            <dd className="truncate text-12 text-quiet" title={titles[latest.type](latest)}>
              {titles[latest.type](latest)}
            </dd>
          </>
        ) : (
          <dd className="text-13 text-quiet">None</dd>
        )}
      </div>
    </dl>
  )
}
