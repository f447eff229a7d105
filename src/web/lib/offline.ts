import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void) {
  const stop = new AbortController()
  for (const event of ['online', 'offline']) window.addEventListener(event, listener, { signal: stop.signal })
  return () => stop.abort()
}

/** Whether the browser is offline. Changes wait until it is online. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => !navigator.onLine)

export const offlineReason = 'You are offline. Changes can be sent when the connection is back.'
