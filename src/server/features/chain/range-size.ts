import type { Refusal } from './refusals.ts'

/** Answered ranges after which a node's rule is tried again: it may have been another node's, or have changed. */
const patience = 500

/** How many blocks to ask for at once, learned from what nodes refuse. */
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

  /** A node's rule lowers the ceiling for good; a range that holds too much is a matter of this stretch alone. */
  refused(asked: number, refusal: Refusal): void {
    this.#size = Math.max(1, Math.floor(asked / 2))
    if (refusal === 'range') this.#ceiling = Math.min(this.#ceiling, this.#size)
  }

  answered(asked: number): void {
    if (++this.#answered % patience === 0) this.#ceiling = Math.min(this.#most, this.#ceiling * 2)
    if (asked >= this.#size) this.#size = Math.min(this.#ceiling, Math.ceil(this.#size * 1.5))
  }
}
