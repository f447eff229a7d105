import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TransactionFigures } from '#contract/transactions.ts'
import { serverMessage } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { paths } from '#web/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { Stat, Stats } from '#web/ui/stats.tsx'
import { figuresQuery } from './queries.ts'
import { LargestVolume, OtherVolumes } from './volumes.tsx'

/** The four cards, exact over the whole table (SPEC section 2, PRODUCT 3.15). */
export function Figures() {
  const { data, isError, error, refetch, isFetching } = useQuery(figuresQuery())
  if (!data && isError) {
    return (
      <section aria-label="Transaction figures" className="rounded-l border bg-card">
        <ErrorState
          title="The figures could not be loaded"
          message={serverMessage(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </section>
    )
  }
  const show = (part: (figures: TransactionFigures) => ReactNode, skeleton: string) =>
    data ? part(data) : <Skeleton className={skeleton} />
  return (
    <Stats label="Transaction figures">
      <Stat
        name="Total Transactions"
        figure={show(({ total }) => formatCount(total), 'h-7 w-20')}
        comparison={show(failures, 'h-4 w-20')}
      />
      <Stat
        name="Completed"
        link={<Link {...paths.transactions({ status: 'completed' })} />}
        figure={show(({ completed }) => formatCount(completed), 'h-7 w-20')}
        comparison={show(({ completed, total }) => share(completed, total), 'h-4 w-24')}
      />
      <Stat
        name="Pending"
        link={<Link {...paths.transactions({ status: 'pending' })} />}
        figure={show(({ pending }) => formatCount(pending), 'h-7 w-16')}
        comparison={show(({ pending, total }) => share(pending, total), 'h-4 w-24')}
      />
      <Stat
        name="Total Volume"
        small
        figure={show(largestVolume, 'h-7 w-28')}
        comparison={show(otherVolumes, 'h-4 w-28')}
      />
    </Stats>
  )
}

const largestVolume = (figures: TransactionFigures) => <LargestVolume figures={figures} />
const otherVolumes = (figures: TransactionFigures) => <OtherVolumes figures={figures} />

const failures = ({ failed }: TransactionFigures) => (
  <>
    <b>{failed > 0 ? formatCount(failed) : 'None'}</b> failed
  </>
)

const share = (part: number, total: number) =>
  total === 0 ? (
    'none yet'
  ) : (
    <>
      <b>{((part / total) * 100).toFixed(1)}%</b> of all
    </>
  )
