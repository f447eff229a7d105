import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from './errors.ts'
import { createLimiter } from './concurrency-limit.ts'

const freshMs = 10_000
const maxAnswers = 1000
const maxWaiting = 1000

/** Asks slowly had things once for all who want the same at the same time, and at most four things at a time. */
export class SharedRequests<T> {
  readonly #answers = new Map<string, { answer: Promise<T>; freshUntil: number }>()
  readonly #limit: <U>(work: () => Promise<U>) => Promise<U>
  readonly #deadlineMs: number

  /** No answer comes later than `deadlineMs`, waiting for a turn included. `refusal` says that too many wait already. */
  constructor(deadlineMs: number, refusal: string) {
    this.#deadlineMs = deadlineMs
    this.#limit = createLimiter(4, maxWaiting, refusal)
  }

  /** `read` has so many milliseconds left. An answer is given again for ten seconds; a failure is not. */
  get(about: string, read: (leftMs: number) => Promise<T>): Promise<T> {
    const known = this.#answers.get(about)
    if (known && known.freshUntil > Date.now()) return known.answer
    const kept = { answer: this.#readInTime(read), freshUntil: Infinity }
    // Behind all others, so that the oldest is the first to go.
    this.#answers.delete(about)
    this.#answers.set(about, kept)
    kept.answer.then(
      () => (kept.freshUntil = Date.now() + freshMs),
      () => this.#answers.get(about) === kept && this.#answers.delete(about),
    )
    if (this.#answers.size > maxAnswers) this.#answers.delete(this.#answers.keys().next().value!)
    return kept.answer
  }

  async #readInTime(read: (leftMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + this.#deadlineMs
    const isOver = new AbortController()
    const late = async () => {
      await pause(this.#deadlineMs, undefined, { signal: isOver.signal })
      throw timeoutError()
    }
    const work = this.#limit(async () => {
      const leftMs = end - performance.now()
      if (leftMs <= 0) throw timeoutError()
      return read(leftMs)
    })
    try {
      return await Promise.race([work, late()])
    } finally {
      isOver.abort()
    }
  }
}

const timeoutError = () => new AppError('chain_timeout', 'The blockchain did not answer in time')
