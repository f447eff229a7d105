import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useState } from 'react'
import { describeError } from '#web/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Browsers word it differently when a part of the page can't be fetched, often since a new version was put in place. */
const isMissingPart = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)

/** The address that "Try again" could not help: an older browser remembers that a module failed, so there a reload is next. */
let failedHref = ''

/** What a page shows when it could not be shown. The shell around it stays. */
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
