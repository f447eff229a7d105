import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Comparison, periods, type Period } from '#contract/analytics.ts'
import type { Registrations } from '#contract/schemas/analytics.ts'
import { describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { registrationsQuery } from './queries.ts'
import { nameComparison, useSpan } from './use-span.ts'

const RegistrationsChart = lazy(() => import('./registrations-chart.tsx'))
const options = Object.entries(periods).map(([value, { label }]) => ({ value, label }))

const comparisonOptions = [
  { value: 'previous', label: 'Period before' },
  { value: 'year', label: 'Year before' },
]

export function MemberRegistrations({ className }: { className: string }) {
  const { span, choosePeriod, chooseComparison } = useSpan()
  const { data, isError, error, refetch, isFetching, isPlaceholderData } = useQuery(registrationsQuery(span))
  // Beside its data. The chart's place reports a failure.
  useEffect(() => RegistrationsChart.prefetch(), [])
  const isFailed = isError && (!data || isPlaceholderData)
  return (
    <Panel
      title="User Registrations"
      end={
        <Select
          small
          aria-label="Period"
          options={options}
          value={span.period}
          // Its options are the periods themselves.
          onChange={({ target }) => choosePeriod(target.value as Period)}
        />
      }
      className={className}
    >
      {isFailed ? (
        <div className="grid min-h-85 content-center">
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
          <div className="flex min-h-7 items-center gap-2 px-4 max-md:min-h-10">
            <Summary registrations={data} />
            <Select
              small
              aria-label="Compared with"
              options={comparisonOptions}
              value={span.compare}
              // Its options are the comparisons themselves.
              onChange={({ target }) => chooseComparison(target.value as Comparison)}
              className="ml-auto shrink-0"
            />
          </div>
          <ChartPlace registrations={data} />
        </div>
      )}
    </Panel>
  )
}

function Summary({ registrations }: { registrations: Registrations | undefined }) {
  if (!registrations) return <Skeleton className="h-5 w-56" />
  const { sentence, legend } = nameComparison(registrations)
  return (
    <>
      <span className="text-20 font-[580] tabular-nums">{formatCount(registrations.total)}</span>
      <span className="min-w-0 truncate text-quiet tabular-nums">
        {formatCount(registrations.previousTotal)}
        <span className="max-md:hidden"> in {sentence}</span>
        <span className="md:hidden"> before</span>
      </span>
      <Legend previous={legend} />
    </>
  )
}

const ChartPlace = ({ registrations }: { registrations: Registrations | undefined }) => (
  <div className="h-78 px-4 pt-2.5">
    {registrations ? (
      <LazyBoundary fallback={<LoadingChart />} failure={ChartFailure}>
        <RegistrationsChart registrations={registrations} />
      </LazyBoundary>
    ) : (
      <LoadingChart />
    )}
  </div>
)

const Legend = ({ previous }: { previous: string }) => (
  <span aria-hidden className="ml-auto flex shrink-0 gap-4 pl-2 text-12 text-quiet max-wide:hidden">
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
  <div className="flex h-65.5 items-end justify-around border-b pl-6.5">
    <span className="sr-only">Loading...</span>
    {heights.map((height, index) => (
      <Skeleton key={index} className={cn('w-1/20 rounded-b-none', height)} />
    ))}
  </div>
)

const ChartFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState title="The chart could not be loaded" onRetry={onRetry} />
)
