import { useEffect } from 'react'

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void) => {
  if (!('requestIdleCallback' in globalThis)) return void setTimeout(run, 500)
  requestIdleCallback(run, { timeout: 3000 })
}

/**
 * Fetches the code of dialogs once `isReady`, when the browser has nothing else to do: they then open at once, so that
 * nothing of what is typed into them is lost.
 */
export function usePrefetch(isReady: boolean, ...dialogs: readonly { prefetch: () => void }[]): void {
  useEffect(() => {
    if (isReady) for (const dialog of dialogs) whenIdle(dialog.prefetch)
    // The dialogs of a screen are always the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isReady])
}
