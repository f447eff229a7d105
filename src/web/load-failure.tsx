import { describeError } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

interface LoadFailureProps {
  /** What failed: "The operators". */
  what: string
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  className?: string
}

/** Stands in place of what could not be loaded, and offers to try it again. */
export function LoadFailure({ what, query: { error, isFetching, refetch }, className }: LoadFailureProps) {
  const state = (
    <ErrorState
      title={`${what} could not be loaded`}
      message={describeError(error)}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  )
  return className === undefined ? state : <div className={className}>{state}</div>
}
