import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SecurityFigures } from '#contract/security.ts'
import { serverMessage } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Stat, Stats } from '#web/ui/stats.tsx'
import { figuresQuery } from './queries.ts'

/** The four cards, exact over the whole table (SPEC section 2). */
export function Figures() {
  const { data, isError, error, refetch, isFetching } = useQuery(figuresQuery())
  if (!data && isError) {
    return (
      <section aria-label="Security figures" className="rounded-l border bg-card">
        <ErrorState
          title="The figures could not be loaded"
          message={serverMessage(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </section>
    )
  }
  const show = (part: (figures: SecurityFigures) => ReactNode, skeleton: string) =>
    data ? part(data) : <Skeleton className={skeleton} />
  return (
    <Stats label="Security figures">
      <Stat
        name="Total Events"
        figure={show(({ total }) => formatCount(total), 'h-7 w-16')}
        comparison={show(({ total, unresolved }) => resolved(total - unresolved), 'h-4 w-20')}
      />
      <Stat
        name="Critical Events"
        figure={show(({ critical }) => formatCount(critical), 'h-7 w-10')}
        comparison={show(({ critical, total }) => share(critical, total), 'h-4 w-24')}
      />
      <Stat
        name="High Severity"
        figure={show(({ high }) => formatCount(high), 'h-7 w-10')}
        comparison={show(({ high, total }) => share(high, total), 'h-4 w-24')}
      />
      <Stat
        name="Unresolved"
        figure={show(({ unresolved }) => formatCount(unresolved), 'h-7 w-12')}
        comparison={show(({ unresolved, total }) => share(unresolved, total), 'h-4 w-24')}
      />
    </Stats>
  )
}

const resolved = (count: number) => (
  <>
    <b>{count > 0 ? formatCount(count) : 'None'}</b> resolved
  </>
)

const share = (part: number, total: number) =>
  total === 0 ? (
    'no events yet'
  ) : (
    <>
      <b>{((part / total) * 100).toFixed(1)}%</b> of all
    </>
  )
