import { useQuery } from '@tanstack/react-query'
import { orderStatusLabels, orderStatuses, type OrderStatus } from '#contract/order-moves.ts'
import { expiryLabels, expiryWindows, type ExpiryWindow } from '#contract/orders.ts'
import type { OrderPipeline as Pipeline } from '#contract/schemas/analytics.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { orderLooks } from '#web/members/order-badge.tsx'
import { paths } from '#web/paths.ts'
import { toneInk } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { formatSum } from './currency-sums.tsx'
import { pipelineQuery } from './queries.ts'
import { Unreconciled } from './unreconciled.tsx'

/** The most currencies that a state names. */
const mostSums = 3
const look = 'hit-area link-subject'

/** The five states of orders with their money per currency, and when those that wait expire (product 5.1). */
export function OrderPipeline({ title, className }: { title: string; className: string }) {
  const query = useQuery(pipelineQuery())
  const { data } = query
  const viewAll = (
    <Button asChild variant="ghost" size="small" className="-mr-2.5">
      <Link {...paths.orders()} aria-label="View All orders">
        View All
      </Link>
    </Button>
  )
  return (
    <Panel title={title} end={viewAll} className={className}>
      {!data && query.isError ? (
        <LoadFailure what="The order pipeline" query={query} className="flex-1" />
      ) : (
        <div className="flex flex-1 flex-col justify-between gap-4 px-4 pt-1 pb-4">
          <ol className="grid unfolded:grid-cols-5 unfolded:*:not-first:border-l unfolded:*:not-first:pl-4 max-unfolded:*:not-first:border-t">
            {orderStatuses.map((status) => (
              <State key={status} status={status} state={data?.states.find((each) => each.status === status)} />
            ))}
          </ol>
          <Expiry counts={data?.expiring} />
        </div>
      )}
    </Panel>
  )
}

function State({ status, state }: { status: OrderStatus; state: Pipeline['states'][number] | undefined }) {
  const { tone, icon: Icon } = orderLooks[status]
  const label = orderStatusLabels[status]
  const sums = state?.sums ?? []
  const more = sums.length - mostSums
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-3 text-12 unfolded:block unfolded:py-0 unfolded:pr-3">
      <span className="flex items-center gap-1.5 text-quiet">
        <Icon aria-hidden strokeWidth={2} className={cn('size-3.5 shrink-0', toneInk[tone])} />
        <span className="truncate">{label}</span>
      </span>
      <span className="min-h-7 text-20 font-[580] tabular-nums max-unfolded:col-start-1 unfolded:mt-1 unfolded:mb-2 unfolded:block">
        {state ? (
          <Link {...paths.orders({ status })} aria-label={`${formatCount(state.count)} ${label}`} className={look}>
            {formatCount(state.count)}
          </Link>
        ) : (
          <Skeleton className="h-6 w-14" />
        )}
      </span>
      <span
        title={sums.map(formatSum).join(', ')}
        className="grid content-start gap-y-0.5 text-right tabular-nums max-unfolded:col-start-2 max-unfolded:row-span-2 max-unfolded:row-start-1 unfolded:min-h-17 unfolded:text-left"
      >
        {sums.slice(0, more > 0 ? mostSums : undefined).map((sum) => (
          <Sum key={sum.currency} text={formatSum(sum)} />
        ))}
        {more > 0 && <span className="text-quiet">+ {more} more</span>}
        {!state && <Skeleton className="h-4 w-24" />}
      </span>
    </li>
  )
}

/** Longer sums are set smaller. */
const longestUsual = 16

/** Never broken within the number: where it has no room beside its currency, that goes below it. */
function Sum({ text }: { text: string }) {
  const [amount = '', currency] = text.split(' ')
  return (
    <span>
      <span
        className={cn('whole-number font-medium', amount.length > longestUsual && 'text-[0.625rem] tracking-[-0.02em]')}
      >
        {amount}
      </span>{' '}
      <span className="text-quiet">{currency}</span>
    </span>
  )
}

const fills: Record<ExpiryWindow, string> = {
  '24h': 'bg-warning-solid',
  '48h': 'bg-accent',
  later: 'bg-(--neutral-solid)',
}
const words: Record<ExpiryWindow, string> = { '24h': 'within 24 h', '48h': 'in 24–48 h', later: 'later' }

/** When the orders that wait for payment expire, and what came in of which it is not known for what. */
function Expiry({ counts }: { counts: Pipeline['expiring'] | undefined }) {
  const all = counts && expiryWindows.reduce((sum, window) => sum + counts[window], 0)
  return (
    <div className="text-12 text-quiet">
      <div aria-hidden className="keep-colour flex h-2 gap-0.5 overflow-hidden rounded-[2px] bg-neutral-soft">
        {counts &&
          expiryWindows.map(
            (window) =>
              counts[window] > 0 && (
                <i
                  key={window}
                  className={cn('min-w-1 rounded-[2px]', fills[window])}
                  style={{ flexGrow: counts[window] }}
                />
              ),
          )}
      </div>
      <ul className="mt-2 flex min-h-4 flex-wrap gap-x-4 gap-y-1">
        <li>{all === 0 ? 'No order waits for payment' : 'Waiting, expires'}</li>
        {counts &&
          all !== 0 &&
          expiryWindows.map((window) => (
            <li key={window} className="flex items-center gap-1.5 tabular-nums">
              <i aria-hidden className={cn('keep-colour size-2 rounded-[2px]', fills[window])} />
              {words[window]}
              <Link
                {...paths.orders({ expiring: window })}
                aria-label={`${expiryLabels[window]}: ${formatCount(counts[window])}`}
                className={cn(look, 'font-medium text-ink')}
              >
                {formatCount(counts[window])}
              </Link>
            </li>
          ))}
        {/* Last, so that nothing moves when it appears. */}
        <Unreconciled look={look} />
      </ul>
    </div>
  )
}
