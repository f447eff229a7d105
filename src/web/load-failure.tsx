import type { ComponentProps } from 'react'
import { describeError } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

interface LoadFailureProps extends Pick<ComponentProps<typeof ErrorState>, 'size' | 'className'> {
  /** What failed: "The operators". */
  what: string
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** Stands in place of what could not be loaded, and offers to try it again. */
export const LoadFailure = ({ what, query: { error, isFetching, refetch }, ...look }: LoadFailureProps) => (
  <ErrorState
    {...look}
    title={`${what} could not be loaded`}
    message={describeError(error)}
    onRetry={() => void refetch()}
    retrying={isFetching}
  />
)
