import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { serverMessage } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Browsers word it differently when a part of the page can't be fetched, often since a new version was put in place. */
const isMissingPart = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)

/** What a page shows when it could not be shown. The shell around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isMissing = isMissingPart(error)
  const retry = () => {
    // A browser remembers that a module failed; only a new document asks for it again.
    if (isMissing) return window.location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <div className="gutter py-6">
      <ErrorState
        title={isMissing ? 'This page could not be loaded' : 'This page could not be shown'}
        message={
          isMissing
            ? 'The connection was lost, or the console has been updated in the meantime.'
            : serverMessage(error, 'Something in it failed. The rest of the console still works.')
        }
        onRetry={retry}
      />
    </div>
  )
}
