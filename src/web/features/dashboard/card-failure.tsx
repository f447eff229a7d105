import { describeError } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

interface CardFailureProps {
  /** What failed: "The approval rates". */
  what: string
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
}

/** Says in the card itself that its data could not be loaded, and tries again. */
export const CardFailure = ({ what, query: { error, isFetching, refetch } }: CardFailureProps) => (
  <div className="grid flex-1 content-center">
    <ErrorState
      title={`${what} could not be loaded`}
      message={describeError(error)}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  </div>
)
