import type { WalletBalance } from '#contract/wallets.ts'
import { createGate } from '#server/gate.ts'

const freshMs = 10_000
const mostKept = 1000

/** Asks the chain once for all who want the same wallet at the same time, and at most four wallets at a time. */
export class BalanceDesk {
  readonly #answers = new Map<string, { balance: Promise<WalletBalance>; freshUntil: number }>()
  readonly #fourAtATime = createGate(4, 100, 'Too many balances are being read; try again in a moment')

  /** An answer is given again for ten seconds; a failure is not. */
  ask(address: string, read: () => Promise<WalletBalance>): Promise<WalletBalance> {
    const known = this.#answers.get(address)
    if (known && known.freshUntil > Date.now()) return known.balance
    const balance = this.#fourAtATime(read)
    const answer = { balance, freshUntil: Infinity }
    // Behind all others, so that the oldest is the first to go.
    this.#answers.delete(address)
    this.#answers.set(address, answer)
    balance.then(
      () => (answer.freshUntil = Date.now() + freshMs),
      () => this.#answers.get(address) === answer && this.#answers.delete(address),
    )
    if (this.#answers.size > mostKept) this.#answers.delete(this.#answers.keys().next().value!)
    return balance
  }
}
