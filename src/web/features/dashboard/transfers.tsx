import { useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { periods } from '#contract/analytics.ts'
import type { Transfers as Figures } from '#contract/schemas/analytics.ts'
import { cn } from '#web/lib/cn.ts'
import { shortenHash } from '#web/lib/hashes.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TokenAmount } from '#web/ui/token-amount.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { transfersQuery } from './queries.ts'
import { TransfersChart } from './transfers-chart.tsx'
import { nameComparison, useSpan } from './use-span.ts'

const look = 'hit-area link-subject'

/** Completed transfers on the chain: how many a day, and how much of each token (product 5.1). The period is that of the page. */
export function Transfers({ title, className }: { title: string; className: string }) {
  const { span } = useSpan()
  const query = useQuery(transfersQuery(span))
  const { data, isError, isPlaceholderData } = query
  return (
    <Panel
      title={title}
      end={
        <span className="text-12 text-quiet">
          {periods[span.period].label}
          <span className="max-md:hidden">, on the chain</span>
        </span>
      }
      className={className}
    >
      {isError && (!data || isPlaceholderData) ? (
        <LoadFailure what="The transfers" query={query} className="flex-1" />
      ) : data ? (
        <div className={cn('flex flex-1 flex-col transition-opacity', isPlaceholderData && 'opacity-60')}>
          <Totals figures={data} />
          {data.tokenCount === 0 ? (
            <div className="flex-1">
              <EmptyState icon={ArrowDownLeft} title="No transfers in this period">
                They appear here as they are read from the chain.
              </EmptyState>
            </div>
          ) : (
            <>
              <TransfersChart key={data.period} figures={data} />
              <Tokens figures={data} />
            </>
          )}
        </div>
      ) : (
        <div className="px-4">
          <span className="sr-only">Loading...</span>
          <Skeleton className="h-5 w-56" />
          <Skeleton className="mt-3 h-38 w-full" />
        </div>
      )}
    </Panel>
  )
}

/** The list of these transfers. */
const listOf = ({ points }: Figures, type: 'deposit' | 'withdrawal', token?: string) =>
  paths.transactions({
    type,
    status: 'completed',
    from: points[0]!.start,
    to: points.at(-1)!.end,
    ...(token && { token }),
  })

function Totals({ figures }: { figures: Figures }) {
  const { total, previousTotal } = figures
  const { sentence } = nameComparison(figures)
  return (
    <div className="grid gap-x-6 gap-y-1 px-4 pb-2 md:grid-cols-2">
      {(['deposit', 'withdrawal'] as const).map((type) => {
        const Icon = type === 'deposit' ? ArrowDownLeft : ArrowUpRight
        const name = `${type}s` as const
        return (
          <p key={type} className="flex min-h-7 min-w-0 items-baseline gap-2">
            <Icon
              aria-hidden
              className={cn('size-3.5 shrink-0 self-center', type === 'deposit' ? 'text-accent-ink' : 'text-quiet')}
            />
            <Link
              {...listOf(figures, type)}
              aria-label={`${formatCount(total[name])} ${name}`}
              className={cn(look, 'text-20 font-[580] tabular-nums')}
            >
              {formatCount(total[name])}
            </Link>
            <span className="min-w-0 text-12 text-quiet tabular-nums">
              {name}, {formatCount(previousTotal[name])} in {sentence}
            </span>
          </p>
        )
      })}
    </div>
  )
}

/** How much of each token: amounts of different tokens are never added up. */
function Tokens({ figures }: { figures: Figures }) {
  const { tokens, tokenCount } = figures
  const more = tokenCount - tokens.length
  return (
    <div className="mt-auto px-4 pt-3 pb-3 text-12">
      <table className="w-full border-t">
        <caption className="sr-only">Transfers by token</caption>
        <thead>
          <tr className="text-left text-quiet *:pt-2 *:pb-1 *:font-regular">
            <th scope="col">Token</th>
            <th scope="col" className="text-right">
              Deposits
            </th>
            <th scope="col" className="text-right">
              Withdrawals
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.tokenAddress} figures={figures} token={token} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="mt-1 text-quiet">
          {formatCount(more)} more {more === 1 ? 'token' : 'tokens'} with fewer transfers
        </p>
      )}
    </div>
  )
}

function TokenRow({ figures, token }: { figures: Figures; token: Figures['tokens'][number] }) {
  const { tokenAddress, tokenSymbol } = token
  const name = tokenSymbol ?? shortenHash(tokenAddress)
  return (
    <tr className="align-top tabular-nums *:py-0.5">
      <th scope="row" className="max-w-28 truncate pr-3 text-left font-medium" title={tokenAddress}>
        <bdi>{name}</bdi>
      </th>
      {(['deposit', 'withdrawal'] as const).map((type) => {
        const { count, amount } = token[`${type}s`]
        return (
          <td key={type} className="text-right">
            {count === 0 ? (
              <span className="text-quiet">none</span>
            ) : (
              <>
                <TokenAmount value={amount} />{' '}
                <span className="whitespace-nowrap text-quiet">
                  in{' '}
                  <Link
                    {...listOf(figures, type, tokenAddress)}
                    aria-label={`${formatCount(count)} ${type}s of ${name}`}
                    className={cn(look, 'font-medium text-ink')}
                  >
                    {formatCount(count)}
                  </Link>
                </span>
              </>
            )}
          </td>
        )
      })}
    </tr>
  )
}
