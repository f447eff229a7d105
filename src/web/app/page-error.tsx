import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useState } from 'react'
import { describeError } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Each browser words a failed module load differently. The usual cause is a new version. */
const isMissingPart = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)

/** The address where a retry has failed. An older browser remembers a failed module, so a reload comes next. */
let failedHref = ''

/** The error state of a page. The shell around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [isRetrying, setRetrying] = useState(false)
  const isMissing = isMissingPart(error)
  const { href } = router.state.location
  const needsReload = isMissing && failedHref === href
  const retry = async () => {
    if (needsReload) return window.location.reload()
    setRetrying(true)
    if (isMissing) failedHref = href
    await router.invalidate()
    setRetrying(false)
    reset()
  }
  return (
    <div className="gutter py-6">
      <ErrorState
        title={isMissing ? 'This page could not be loaded' : 'This page could not be shown'}
        message={
          isMissing
            ? 'The connection was lost, or the console has been updated in the meantime.'
            : describeError(error, 'Something in it failed. The rest of the console still works.')
        }
        onRetry={() => void retry()}
        retrying={isRetrying}
        {...(needsReload && { retryLabel: 'Reload the console' })}
      />
    </div>
  )
}
