import { hasTabChannel } from './tabs.ts'

const lockName = 'back-office live'
/** How often a visible tab queries the leading tab, and how long that may stay silent. */
const askEveryMs = 3000
const silenceLimitMs = askEveryMs * 2

interface LeaderOptions {
  /** This tab leads until the signal aborts. */
  lead: (signal: AbortSignal) => void
  /** Queries the leading tab. Pass its answer to `heard`. */
  askLeader: () => void
  /** This tab was suspended and may have missed events. */
  onMissed: () => void
}

/**
 * Elects the tab that holds the event stream: the one with the lock. The browser passes the lock on when that tab
 * closes or crashes. A frozen tab releases it, and a visible tab takes it from one that hangs. Without locks, which
 * need https or loopback, each visible tab leads for itself.
 */
export function electLeader({ lead, askLeader, onMissed }: LeaderOptions, stop: AbortSignal) {
  let term: AbortController | undefined
  let isLeading = false
  let heardAt = Date.now()
  const isShared = 'locks' in navigator && hasTabChannel

  async function requestLock(how: LockOptions = {}) {
    term?.abort()
    const mine = new AbortController()
    term = mine
    const options = how.steal ? how : { signal: mine.signal }
    await navigator.locks
      .request(lockName, options, () => {
        if (mine.signal.aborted) return
        isLeading = true
        lead(mine.signal)
        return new Promise<void>((resolve) => mine.signal.addEventListener('abort', () => resolve()))
      })
      .catch(() => {})
    if (term !== mine) return
    isLeading = false
    if (mine.signal.aborted) return
    // The lock was taken from this tab while it hung.
    heardAt = Date.now()
    onMissed()
    void requestLock()
  }
  function leadWhenVisible() {
    term?.abort()
    term = undefined
    if (document.hidden) return
    term = new AbortController()
    lead(term.signal)
  }
  const begin = () => (isShared ? void requestLock() : leadWhenVisible())
  const resign = () => {
    term?.abort()
    term = undefined
    isLeading = false
  }
  const rejoin = () => {
    heardAt = Date.now()
    onMissed()
    if (!term) begin()
  }

  let checkedAt = Date.now()
  function check() {
    const wasSuspended = Date.now() - checkedAt > silenceLimitMs
    checkedAt = Date.now()
    if (wasSuspended) heardAt = checkedAt
    if (!isShared || isLeading || document.hidden || !term) return
    if (checkedAt - heardAt > silenceLimitMs) {
      heardAt = checkedAt
      void requestLock({ steal: true })
    } else askLeader()
  }
  const timer = setInterval(check, askEveryMs)
  const options = { signal: stop }
  document.addEventListener('freeze', resign, options)
  document.addEventListener('resume', rejoin, options)
  window.addEventListener('pagehide', resign, options)
  window.addEventListener('pageshow', ({ persisted }) => persisted && rejoin(), options)
  document.addEventListener('visibilitychange', () => (isShared ? check() : leadWhenVisible()), options)
  stop.addEventListener('abort', () => {
    clearInterval(timer)
    resign()
  })
  begin()
  return {
    /** Call this when the leading tab has answered. */
    heard: () => void (heardAt = Date.now()),
  }
}
