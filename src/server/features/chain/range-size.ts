import type { LogsRefusal } from './log-refusals.ts'

/** After this many answered ranges the limit is raised again: it may have been another node's, or has changed. */
const retryAfterRanges = 500

/** How many blocks to request at once, learned from what nodes refuse. */
export class RangeSize {
  readonly #most: number
  #ceiling: number
  #size: number
  #answered = 0

  constructor(most: number) {
    this.#most = most
    this.#ceiling = most
    this.#size = most
  }

  get size(): number {
    return this.#size
  }

  /** A rule lowers the ceiling. A range with too many logs, or a single refused block, says nothing about other ranges. */
  recordRefusal(asked: number, { isTooMuch, limit }: LogsRefusal): void {
    this.#size = limit ?? Math.max(1, Math.floor(asked / 2))
    if (asked === 1) this.#ceiling = this.#most
    else if (!isTooMuch) this.#ceiling = Math.min(this.#ceiling, limit ?? asked - 1)
  }

  recordAnswer(asked: number): void {
    if (++this.#answered % retryAfterRanges === 0) this.#ceiling = Math.min(this.#most, this.#ceiling * 2)
    if (asked >= this.#size) this.#size = Math.min(this.#ceiling, Math.ceil(this.#size * 1.5))
  }
}
