import { CircleAlert, RefreshCw } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { findFocusSuccessor } from '#web/lib/focus-successor.ts'
import { Button } from './button.tsx'

interface ErrorStateProps {
  /** What failed: "The members could not be loaded". */
  title: string
  /** The server's own words. */
  message?: string | undefined
  onRetry: () => void
  retrying?: boolean
  retryLabel?: string
  /** On one line where there is room, as high as the strip of figures that it replaces. */
  inStrip?: boolean
}

/** A successful retry removes the focused button. The focus moves to what takes its place, else to the loaded part. */
export function useFocusAfterRetry() {
  const state = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = state.current
    return () => {
      const control = document.activeElement
      if (!element?.contains(control)) return
      const places = [element.closest<HTMLElement>('section, [role=tabpanel]'), element.closest('main')]
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        const successor = findFocusSuccessor(control)
        if (successor) return successor.focus({ preventScroll: true })
        const place = places.find((each) => each?.isConnected)
        if (!place) return
        if (!place.hasAttribute('tabindex')) place.tabIndex = -1
        place.focus({ preventScroll: true })
      })
    }
  }, [])
  return state
}

export function ErrorState({
  title,
  message,
  onRetry,
  retrying = false,
  retryLabel = 'Try Again',
  inStrip = false,
}: ErrorStateProps) {
  const state = useFocusAfterRetry()
  return (
    <div
      ref={state}
      role="alert"
      className={cn(
        'flex flex-col items-center gap-1 px-6 py-10 text-center text-13',
        inStrip && 'md:min-h-[107px] md:flex-row md:justify-center md:gap-3 md:py-2 md:*:my-0!',
      )}
    >
      <CircleAlert aria-hidden className="mb-2 size-5 text-danger-ink" />
      <p className="font-medium">{title}</p>
      {message && <p className="max-w-100 text-quiet">{message}</p>}
      <Button onClick={onRetry} loading={retrying} className="mt-3">
        <RefreshCw aria-hidden />
        {retryLabel}
      </Button>
    </div>
  )
}

interface FailureLineProps {
  /** What failed, and why. */
  children: ReactNode
  onRetry: () => void
  retrying: boolean
  className?: string
}

/** An error in one line, where a part is small. */
export function FailureLine({ children, onRetry, retrying, className }: FailureLineProps) {
  const line = useFocusAfterRetry()
  return (
    <div
      ref={line}
      role="alert"
      className={cn('flex flex-wrap items-center gap-x-3 gap-y-1 text-danger-ink', className)}
    >
      <span>{children}</span>
      <Button size="small" loading={retrying} onClick={onRetry} className="text-ink">
        Try Again
      </Button>
    </div>
  )
}
