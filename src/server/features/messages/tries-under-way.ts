import type { Destination, FinishedTry, LeasedMessage } from './channel.ts'

/** The tries of one server to one channel that are under way, and those that ended and are not taken yet. */
export class TriesUnderWay {
  readonly #failing = new AbortController()
  readonly #signal: AbortSignal
  /** Each try with the endpoint that it goes to. */
  readonly #turns = new Map<Promise<void>, string | null>()
  readonly #ended: FinishedTry[] = []
  #wake: (() => void) | undefined
  /** Messages whose try has no outcome. */
  readonly givenUp: LeasedMessage[] = []
  /** What tries threw, but for those that were aborted. The first one aborts the others. */
  readonly problems: unknown[] = []

  constructor(stop: AbortSignal) {
    this.#signal = AbortSignal.any([stop, this.#failing.signal])
  }

  get isAborted() {
    return this.#signal.aborted
  }

  /** Whether no try is under way and none that ended is left to take. */
  get isEmpty() {
    return this.#turns.size === 0 && this.#ended.length === 0
  }

  start(message: LeasedMessage, { send }: Destination): void {
    const turn = send(message, this.#signal)
      .then(
        (outcome) => void this.#ended.push({ message, outcome }),
        (error: unknown) => {
          this.givenUp.push(message)
          if (this.#signal.aborted) return
          this.problems.push(error)
          this.#failing.abort()
        },
      )
      .finally(() => {
        this.#turns.delete(turn)
        this.#wake?.()
      })
    this.#turns.set(turn, message.endpointId)
  }

  /** The number of tries to each endpoint that has any. */
  countByEndpoint(): Map<string | null, number> {
    const turns = Map.groupBy(this.#turns.values(), (endpointId) => endpointId)
    return new Map([...turns].map(([endpointId, { length }]) => [endpointId, length]))
  }

  takeEnded(): FinishedTry[] {
    return this.#ended.splice(0)
  }

  /** Waits until a try ends, for at most `ms`. Does not wait if one has ended already. */
  async waitForEnd(ms: number): Promise<void> {
    if (this.#ended.length > 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Aborts all tries and waits until they have ended. */
  async abort(): Promise<void> {
    this.#failing.abort()
    await Promise.all(this.#turns.keys())
  }
}
