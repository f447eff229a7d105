import { AppError } from './errors.ts'
import { createLimiter } from './concurrency-limit.ts'

const freshMs = 10_000
const maxAnswers = 1000
const maxWaiting = 1000

/** Shares one slow read among all who want the same at the same time. Runs at most four reads at once. */
export class SharedRequests<T> {
  /** `freshUntil` by a clock that nobody sets, so that a wrong one keeps no answer for days. */
  readonly #answers = new Map<string, { answer: Promise<T>; freshUntil: number }>()
  readonly #limit: <U>(work: () => Promise<U>) => Promise<U>
  readonly #deadlineMs: number

  /** `deadlineMs` includes the wait for a turn. `refusal` is the message if too many wait. */
  constructor(deadlineMs: number, refusal: string) {
    this.#deadlineMs = deadlineMs
    this.#limit = createLimiter(4, maxWaiting, refusal)
  }

  /** Passes `read` the milliseconds left. Repeats an answer for ten seconds, but not a failure. */
  get(about: string, read: (leftMs: number) => Promise<T>): Promise<T> {
    const known = this.#answers.get(about)
    if (known && known.freshUntil > performance.now()) return known.answer
    const kept = { answer: this.#readInTime(read), freshUntil: Infinity }
    // Moves the entry to the end, so that the oldest is removed first.
    this.#answers.delete(about)
    this.#answers.set(about, kept)
    kept.answer.then(
      () => (kept.freshUntil = performance.now() + freshMs),
      () => this.#answers.get(about) === kept && this.#answers.delete(about),
    )
    if (this.#answers.size > maxAnswers) this.#answers.delete(this.#answers.keys().next().value!)
    return kept.answer
  }

  async #readInTime(read: (leftMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + this.#deadlineMs
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(timeoutError()), this.#deadlineMs)
    const work = this.#limit(async () => {
      const leftMs = end - performance.now()
      if (leftMs <= 0) throw timeoutError()
      return read(leftMs)
    })
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

const timeoutError = () => new AppError('chain_timeout', 'The blockchain did not answer in time')
