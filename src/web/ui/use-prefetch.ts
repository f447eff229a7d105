import { useEffect } from 'react'

/** Safari has no `requestIdleCallback`. */
const whenIdle = (run: () => void) => {
  if (!('requestIdleCallback' in globalThis)) return void setTimeout(run, 500)
  requestIdleCallback(run, { timeout: 3000 })
}

/**
 * Loads the code of dialogs once `isReady`, when the browser is idle. They then open at once, and no typed key is lost.
 */
export function usePrefetch(isReady: boolean, ...dialogs: readonly { prefetch: () => void }[]): void {
  useEffect(() => {
    if (isReady) for (const dialog of dialogs) whenIdle(dialog.prefetch)
    // The dialogs of a screen are always the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isReady])
}
