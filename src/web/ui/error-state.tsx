import { CircleAlert, RefreshCw } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { findFocusSuccessor } from '#web/lib/focus-successor.ts'
import { Button } from './button.tsx'

interface ErrorStateProps {
  /** As large as what failed: a whole page, a panel or strip of figures on it, or one line of either. */
  size?: 'page' | 'panel' | 'row'
  /** What failed: "The members could not be loaded". */
  title: string
  /** The server's own words. */
  message?: string | undefined
  onRetry: () => void
  retrying?: boolean
  retryLabel?: string
  className?: string
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
  size = 'panel',
  title,
  message,
  onRetry,
  retrying = false,
  retryLabel = 'Try Again',
  className,
}: ErrorStateProps) {
  const state = useFocusAfterRetry()
  return (
    <div ref={state} role="alert" data-size={size} className={cn('failure', className)}>
      <div>
        <CircleAlert aria-hidden />
        <p>
          <b>{title}</b>
          {size === 'row' && message && ': '}
          {message}
        </p>
      </div>
      <Button size={size === 'page' ? 'default' : 'small'} onClick={onRetry} loading={retrying}>
        <RefreshCw aria-hidden />
        {retryLabel}
      </Button>
    </div>
  )
}
