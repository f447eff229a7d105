import type { QueryClient } from '@tanstack/react-query'
import { signInGraceMs, liveState } from './live-state.ts'
import { createPageUpdater } from './page-updater.ts'
import { checkSession } from './session.ts'
import type { SharedStream } from './shared-stream.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** Follows the server's event stream, which the tabs of a browser share, until the returned function is called. */
export function followLive(client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const page = createPageUpdater(client)
  let shared: SharedStream | undefined
  const handlers = {
    checkSession: () => checkSession(client),
    onMessage: page.apply,
    onMissed() {
      page.noteGap()
      void checkSession(client)
    },
  }
  void import('./shared-stream.ts').then(({ shareStream }) => {
    if (!signal.aborted) shared = shareStream(handlers, signal)
  })
  onTabMessage((message) => {
    if (shared?.isLeading() || (message.type !== 'stream-state' && message.type !== 'stream-event')) return
    page.apply(message)
    // The leading tab checks the session itself before it reconnects.
    if (message.type === 'stream-event' && message.event.type === 'end')
      setTimeout(() => void checkSession(client), signInGraceMs)
  }, signal)
  postToTabs({ type: 'stream-query' })
  watchConnection(signal)
  return () => {
    stop.abort()
    page.stop()
    liveState.set('connecting')
  }
}

/** Shows a lost connection at once, before the stream notices. */
function watchConnection(signal: AbortSignal) {
  window.addEventListener('offline', () => liveState.set('offline'), { signal })
  window.addEventListener(
    'online',
    () => {
      liveState.set('reconnecting')
      postToTabs({ type: 'stream-query' })
    },
    { signal },
  )
  if (!navigator.onLine) liveState.set('offline')
}
