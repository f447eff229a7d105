import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Component, lazy, Suspense, useEffect, type ReactNode } from 'react'
import { periods, type Period } from '#contract/analytics.ts'
import { describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { previousLabels } from './periods.ts'
import { registrationsQuery } from './queries.ts'

const loadChart = () => import('./registrations-chart.tsx')
const RegistrationsChart = lazy(loadChart)
const options = Object.entries(periods).map(([value, { label }]) => ({ value, label }))

/** The chosen period stands in the address bar (product 4.3). */
function PeriodSelect({ period }: { period: Period }) {
  const navigate = useNavigate()
  const choose = (chosen: Period) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, period: chosen === '7d' ? undefined : chosen }),
    })
  return (
    <Select
      small
      aria-label="Period"
      options={options}
      value={period}
      // Its options are the periods themselves.
      onChange={({ target }) => choose(target.value as Period)}
    />
  )
}

export function UserRegistrations({ className }: { className: string }) {
  const { period = '7d' } = useSearch({ from: '/' })
  const { data, isError, error, refetch, isFetching, isPlaceholderData } = useQuery(registrationsQuery(period))
  // Loads the chart's code beside its data. The chart's place reports a failure.
  useEffect(() => void loadChart().catch(() => {}), [])
  const isFailed = isError && (!data || isPlaceholderData)
  return (
    <Panel title="User Registrations" end={<PeriodSelect period={period} />} className={className}>
      {isFailed ? (
        <div className="grid min-h-72 content-center">
          <ErrorState
            title="The registrations could not be loaded"
            message={describeError(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      ) : (
        <div
          className={cn('transition-opacity', isPlaceholderData && 'opacity-60')}
          aria-busy={!data || isPlaceholderData}
        >
          <div className="flex min-h-7 items-baseline gap-2 px-4">
            {data ? (
              <>
                <span className="text-20 font-[580] tabular-nums">{formatCount(data.total)}</span>
                <span className="min-w-0 truncate text-quiet tabular-nums">
                  {formatCount(data.previousTotal)} in {previousLabels[data.period].sentence}
                </span>
                <Legend previous={previousLabels[data.period].legend} />
              </>
            ) : (
              <Skeleton className="h-5 w-56" />
            )}
          </div>
          <div className="h-65 px-4 pt-2.5">
            {data ? (
              <ChartBoundary>
                <Suspense fallback={<LoadingChart />}>
                  <RegistrationsChart registrations={data} />
                </Suspense>
              </ChartBoundary>
            ) : (
              <LoadingChart />
            )}
          </div>
        </div>
      )}
    </Panel>
  )
}

const Legend = ({ previous }: { previous: string }) => (
  <span aria-hidden className="ml-auto flex shrink-0 gap-4 text-12 text-quiet max-md:hidden">
    <span className="flex items-center gap-1.5">
      <i className="keep-colour size-2 rounded-[2px] bg-accent" />
      Registrations
    </span>
    <span className="flex items-center gap-1.5">
      <i className="keep-colour h-0.5 w-3 bg-(--neutral-solid)" />
      {previous}
    </span>
  </span>
)

const heights = ['h-2/5', 'h-1/3', 'h-4/5', 'h-3/5', 'h-1/2', 'h-9/10', 'h-1/3']

const LoadingChart = () => (
  <div className="flex h-52.5 items-end justify-around border-b pl-6.5">
    <span className="sr-only">Loading...</span>
    {heights.map((height, index) => (
      <Skeleton key={index} className={cn('w-1/20 rounded-b-none', height)} />
    ))}
  </div>
)

/** Shows in the card that the chart's code failed to load. */
class ChartBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <ErrorState title="The chart could not be loaded" onRetry={() => window.location.reload()} />
  }
}
