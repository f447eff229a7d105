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
export function electLeader(options: LeaderOptions, stop: AbortSignal) {
  const candidate = new Candidate(options)
  const timer = setInterval(() => candidate.checkLeader(), askEveryMs)
  const [resign, rejoin] = [() => candidate.resign(), () => candidate.rejoin()]
  const listening = { signal: stop }
  document.addEventListener('freeze', resign, listening)
  document.addEventListener('resume', rejoin, listening)
  window.addEventListener('pagehide', resign, listening)
  window.addEventListener('pageshow', ({ persisted }) => persisted && rejoin(), listening)
  document.addEventListener('visibilitychange', () => candidate.handleVisibility(), listening)
  stop.addEventListener('abort', () => {
    clearInterval(timer)
    resign()
  })
  candidate.join()
  return {
    /** Call this when the leading tab has answered. */
    heard: () => candidate.noteAnswer(),
  }
}

/** This tab in the election. */
class Candidate {
  readonly #options: LeaderOptions
  readonly #isShared = 'locks' in navigator && hasTabChannel
  /** From the request for the lead until its end. */
  #term: AbortController | undefined
  #isLeading = false
  #heardAt = Date.now()
  #checkedAt = Date.now()

  constructor(options: LeaderOptions) {
    this.#options = options
  }

  join() {
    if (this.#isShared) void this.#requestLock()
    else this.#leadWhenVisible()
  }

  resign() {
    this.#term?.abort()
    this.#term = undefined
    this.#isLeading = false
  }

  rejoin() {
    this.noteAnswer()
    this.#options.onMissed()
    if (!this.#term) this.join()
  }

  noteAnswer() {
    this.#heardAt = Date.now()
  }

  handleVisibility() {
    if (this.#isShared) this.checkLeader()
    else this.#leadWhenVisible()
  }

  /** Queries the leading tab, and takes the lock from it when it has been silent for too long. */
  checkLeader() {
    const wasSuspended = Date.now() - this.#checkedAt > silenceLimitMs
    this.#checkedAt = Date.now()
    if (wasSuspended) this.#heardAt = this.#checkedAt
    if (!this.#isShared || this.#isLeading || document.hidden || !this.#term) return
    if (this.#checkedAt - this.#heardAt > silenceLimitMs) {
      this.#heardAt = this.#checkedAt
      void this.#requestLock({ steal: true })
    } else this.#options.askLeader()
  }

  async #requestLock(how: LockOptions = {}) {
    this.#term?.abort()
    const mine = new AbortController()
    this.#term = mine
    const options = how.steal ? how : { signal: mine.signal }
    await navigator.locks
      .request(lockName, options, () => {
        if (mine.signal.aborted) return
        this.#isLeading = true
        this.#options.lead(mine.signal)
        return new Promise<void>((resolve) => mine.signal.addEventListener('abort', () => resolve()))
      })
      .catch(() => {})
    if (this.#term !== mine) return
    this.#isLeading = false
    if (mine.signal.aborted) return
    // The lock was taken from this tab while it hung.
    this.noteAnswer()
    this.#options.onMissed()
    void this.#requestLock()
  }

  #leadWhenVisible() {
    this.resign()
    if (document.hidden) return
    this.#term = new AbortController()
    this.#options.lead(this.#term.signal)
  }
}
