import { describeError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'

interface RefreshFailureProps {
  /** What is shown: "The operators". */
  what: string
  /** A query whose data is shown. */
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  className?: string
}

/** Says that what is shown could not be fetched again, and offers to try it. Nothing while the last fetch succeeded. */
export const RefreshFailure = (props: RefreshFailureProps) => (props.query.error ? <Failure {...props} /> : null)

function Failure({ what, query: { error, isFetching, refetch }, className }: RefreshFailureProps) {
  const place = useFocusAfterRetry()
  return (
    <div ref={place} className={className}>
      <Note
        tone="danger"
        role="alert"
        action={
          <Button size="small" loading={isFetching} onClick={() => void refetch()}>
            Try Again
          </Button>
        }
      >
        {what} could not be refreshed: {describeError(error)}
      </Note>
    </div>
  )
}
