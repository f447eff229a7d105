import { type ReactNode } from 'react'
import { formatCount } from '#web/lib/money.ts'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './spinner.tsx'
import { Stats } from './stats.tsx'

/** The part of a query's result that cards show. */
interface FiguresQuery<Data> {
  data: Data | undefined
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
}
/** Shows a part of the figures, or a skeleton of that size while they load. */
export type ShowFigure<Data> = (part: (data: Data) => ReactNode, skeleton: string) => ReactNode

export interface FiguresProps<Data> {
  /** "Transaction figures" */
  label: string
  query: FiguresQuery<Data>
  /** Why the figures failed to load. */
  message: string
  children: (show: ShowFigure<Data>) => ReactNode
}

/** A strip of figures from one call, with skeletons while it loads and an error when it fails. */
export function Figures<Data>({ label, query, message, children }: FiguresProps<Data>) {
  const { data, isError, isFetching, refetch } = query
  if (data === undefined && isError)
    return (
      <section aria-label={label} className="rounded-l border bg-card">
        <ErrorState
          title="The figures could not be loaded"
          message={message}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </section>
    )
  return (
    <Stats label={label}>
      {children((part, skeleton) => (data === undefined ? <Skeleton className={skeleton} /> : part(data)))}
    </Stats>
  )
}

/** "66.7% of all", or `none` where the total is 0. */
export const Share = ({ part, total, none }: { part: number; total: number; none: string }) =>
  total === 0 ? (
    none
  ) : (
    <>
      <b>{((part / total) * 100).toFixed(1)}%</b> of all
    </>
  )

/** "3 failed", "None failed". */
export const CountText = ({ count, what }: { count: number; what: string }) => (
  <>
    <b>{count > 0 ? formatCount(count) : 'None'}</b> {what}
  </>
)
