import { createGate } from '#server/gate.ts'

const freshMs = 10_000
const mostKept = 1000
const mostWaiting = 12

/** Asks slowly had things once for all who want the same at the same time, and at most four things at a time. */
export class AnswerDesk<T> {
  readonly #answers = new Map<string, { answer: Promise<T>; freshUntil: number }>()
  readonly #fourAtATime: <U>(work: () => Promise<U>) => Promise<U>

  /** `refusal` is told when so many wait already that the last would wait too long. */
  constructor(refusal: string) {
    this.#fourAtATime = createGate(4, mostWaiting, refusal)
  }

  /** An answer is given again for ten seconds; a failure is not. */
  ask(about: string, read: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(about)
    if (known && known.freshUntil > Date.now()) return known.answer
    const kept = { answer: this.#fourAtATime(read), freshUntil: Infinity }
    // Behind all others, so that the oldest is the first to go.
    this.#answers.delete(about)
    this.#answers.set(about, kept)
    kept.answer.then(
      () => (kept.freshUntil = Date.now() + freshMs),
      () => this.#answers.get(about) === kept && this.#answers.delete(about),
    )
    if (this.#answers.size > mostKept) this.#answers.delete(this.#answers.keys().next().value!)
    return kept.answer
  }
}
