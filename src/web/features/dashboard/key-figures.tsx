import { useQuery } from '@tanstack/react-query'
import { trendDays } from '#contract/analytics.ts'
import type { Analytics } from '#contract/schemas/analytics.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingKyc } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Figures } from '#web/ui/figures.tsx'
import { Stat } from '#web/ui/stats.tsx'
import { formatWait } from './format-wait.ts'
import { figuresQuery, trendsQuery } from './queries.ts'

const width = 64
const height = 20
/** Room for the line's own width and for the point at its end. */
const inset = 2

/** The course of a figure, without an axis, its end marked. A screen reader has the figure and its comparison. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values)
  const least = Math.min(...values)
  const x = (index: number) => inset + (index * (width - 2 * inset)) / Math.max(1, values.length - 1)
  const y = (value: number) =>
    most === least ? height / 2 : height - inset - ((value - least) * (height - 2 * inset)) / (most - least)
  const line = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  const last = values.length - 1
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} className="h-5 w-16 shrink-0 overflow-visible">
      <path d={`M${line}L${x(last)} ${height}L${x(0)} ${height}z`} className="fill-accent-soft" />
      <path
        d={`M${line}`}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      <circle cx={x(last)} cy={y(values[last]!)} r="2" className="fill-accent" />
    </svg>
  )
}

/** The four figures (product 5.1), each with what it compares with and the way to its list. */
export function KeyFigures() {
  const query = useQuery(figuresQuery())
  const trends = useQuery(trendsQuery()).data
  return (
    <Figures label="Key figures" query={query} message={describeError(query.error)}>
      {(show) => (
        <>
          <PermissionGate permission="members.view">
            <Stat
              name="Total Users"
              link={<Link {...paths.members()} />}
              figure={show(({ totalUsers }) => renderFigure(totalUsers, trends?.members), 'h-7 w-20')}
              comparison={show((figures) => renderNewMembers(figures, trends?.members), 'h-4 w-32')}
            />
          </PermissionGate>
          <PermissionGate permission="kyc.view">
            <Stat
              name="Pending KYC"
              link={<Link {...paths.kyc(waitingKyc)} />}
              figure={show(({ pendingKyc }) => renderFigure(pendingKyc, trends?.pendingKyc), 'h-7 w-16')}
              comparison={show(renderOldestWait, 'h-4 w-28')}
            />
          </PermissionGate>
          <PermissionGate permission="tokens.view">
            <Stat
              name="Active Tokens"
              link={<Link {...paths.tokens()} />}
              figure={show(({ activeTokens }) => renderFigure(activeTokens, trends?.tokens), 'h-7 w-12')}
              comparison={show(renderTokenKinds, 'h-4 w-36')}
            />
          </PermissionGate>
          <PermissionGate permission="transactions.view">
            <Stat
              name="Today's Transactions"
              link={<Link {...paths.transactions({ tab: 'platform', created: 'today' })} />}
              figure={show(
                ({ todayTransactions }) => renderFigure(todayTransactions, trends?.transactions),
                'h-7 w-14',
              )}
              comparison={show(renderYesterday, 'h-4 w-32')}
            />
          </PermissionGate>
        </>
      )}
    </Figures>
  )
}

/** With the 7 days before them, which the trend has too. */
function renderNewMembers({ newUsersLast7Days }: Analytics, trend: readonly number[] | null | undefined) {
  const before = trend?.slice(0, trendDays - 7).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <b>{newUsersLast7Days > 0 ? `+${formatCount(newUsersLast7Days)}` : 'None'}</b> in the last 7 days
      {before !== undefined && <span className="max-wide:hidden">, {formatCount(before)} before</span>}
    </>
  )
}

/** Figures don't wait for their trends, and stand without them where they fail. */
const renderFigure = (count: number, trend: readonly number[] | null | undefined) => (
  <>
    {formatCount(count)}
    {trend && (
      <span className="ml-auto pl-3 max-wide:hidden">
        <Sparkline values={trend} />
      </span>
    )}
  </>
)

const renderOldestWait = ({ oldestPendingKyc }: Analytics) =>
  oldestPendingKyc ? (
    <span title={oldestPendingKyc}>
      oldest waits <b>{formatWait(oldestPendingKyc)}</b>
    </span>
  ) : (
    'nobody waits for review'
  )

const renderTokenKinds = ({ tokens: { total, activeEarning, activeFractions } }: Analytics) =>
  total === 0 ? (
    'none added yet'
  ) : (
    <>
      <span className="max-md:sr-only">of {formatCount(total)}: </span>
      {formatCount(activeEarning)} earning, {formatCount(activeFractions)} fractions
    </>
  )

const renderYesterday = ({ yesterdayTransactionsByNow }: Analytics) => (
  <>
    <b>{formatCount(yesterdayTransactionsByNow)}</b> yesterday at this time
  </>
)
