import { electLeader } from './live-leader.ts'
import { LiveStream } from './live-stream.ts'
import { signInNeeded } from './session.ts'
import { onTabMessage, postToTabs, type StreamMessage } from './tabs.ts'

interface SharedStreamOptions {
  /** Gets what the stream brings while this tab leads. */
  onMessage: (message: StreamMessage) => void
  /** This tab was suspended and may have missed events. */
  onMissed: () => void
  /** Whether the session is still valid. */
  checkSession: () => Promise<boolean>
}

/** Shares one event stream with the other tabs: the leading tab holds it and passes on what it brings. */
export function shareStream({ onMessage, onMissed, checkSession }: SharedStreamOptions, signal: AbortSignal) {
  let isLeading = false
  const stream = new LiveStream({
    checkSession,
    onMessage(message) {
      onMessage(message)
      postToTabs(message)
    },
  })
  const { heard } = electLeader(
    {
      lead(term) {
        isLeading = true
        term.addEventListener('abort', () => void (isLeading = false))
        stream.start(term)
      },
      askLeader: () => postToTabs({ type: 'stream-query' }),
      onMissed,
    },
    signal,
  )
  onTabMessage(({ type }) => {
    if (type === 'stream-query' && isLeading) postToTabs({ type: 'stream-state', state: stream.state })
    if (type === 'stream-state' || type === 'stream-event') heard()
  }, signal)
  const stopWaiting = signInNeeded.subscribe(() => {
    if (isLeading && !signInNeeded.get()) stream.reconnect()
  })
  signal.addEventListener('abort', stopWaiting)
  return { isLeading: () => isLeading }
}
