import { fromUnits, toUnits } from '#server/features/bank/readers/decimal.ts'
import type { Payment } from './payments.ts'

/** What every writer needs to know. */
export interface FileSettings {
  account: string
  currency: string
}

export interface WrittenFile {
  content: Buffer
  /** The payments in the order in which a reader finds them. */
  payments: Payment[]
}

export const openingBalance = '10000.00'

export const sortByDay = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((one, other) => (one.bookedOn < other.bookedOn ? -1 : one.bookedOn > other.bookedOn ? 1 : 0))

/** In units, below 0 for a debit. */
export const toSignedUnits = ({ direction, amount }: Pick<Payment, 'direction' | 'amount'>): bigint =>
  direction === 'debit' ? -toUnits(amount) : toUnits(amount)

/** The balance after each payment, in units. */
export function listBalances(payments: readonly Payment[]): bigint[] {
  let balance = toUnits(openingBalance)
  return payments.map((payment) => (balance += toSignedUnits(payment)))
}

export const toUnsigned = (value: bigint): string => fromUnits(value < 0n ? -value : value)

/** Cuts a text wherever the bank does. */
export const cutText = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []
