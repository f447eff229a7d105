import type { QueryClient } from '@tanstack/react-query'
import { signInGraceMs, liveState } from './live-state.ts'
import type { createPageUpdater } from './page-updater.ts'
import { checkSession } from './session.ts'
import type { shareStream } from './shared-stream.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

type PageUpdater = ReturnType<typeof createPageUpdater>
type ShareStream = typeof shareStream

/** Follows the server's event stream, which the tabs of a browser share, until the returned function is called. */
export function followLive(client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  void Promise.all([import('./page-updater.ts'), import('./shared-stream.ts')]).then(([updater, stream]) => {
    if (!signal.aborted) followStream(client, updater.createPageUpdater(client), stream.shareStream, signal)
  })
  watchConnection(signal)
  return () => {
    stop.abort()
    liveState.set('connecting')
  }
}

function followStream(client: QueryClient, page: PageUpdater, shareStream: ShareStream, signal: AbortSignal) {
  const handlers = {
    checkSession: () => checkSession(client),
    onMessage: page.apply,
    onMissed() {
      page.noteGap()
      void checkSession(client)
    },
  }
  const shared = shareStream(handlers, signal)
  signal.addEventListener('abort', page.stop)
  onTabMessage((message) => {
    if (shared.isLeading() || (message.type !== 'stream-state' && message.type !== 'stream-event')) return
    page.apply(message)
    // The leading tab checks the session itself before it reconnects.
    if (message.type === 'stream-event' && message.event.type === 'end')
      setTimeout(() => void checkSession(client), signInGraceMs)
  }, signal)
  postToTabs({ type: 'stream-query' })
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
