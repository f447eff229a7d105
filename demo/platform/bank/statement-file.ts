import { fromUnits, toUnits } from '#server/lib/decimal.ts'

/** A movement of an account as its bank knows it. */
export interface Movement {
  kind: string
  bookedOn: string
  direction: 'credit' | 'debit'
  isReversal: boolean
  amount: string
  currency: string
  payer: { name: string | null; iban: string | null }
  text: string
  rf: string | null
  endToEndId: string | null
  /** The bank has only announced it. Said in camt files alone. */
  isPending?: boolean
  /** The bank's own reference; made by the writer where there is none. Said in camt files alone. */
  reference?: string
  /** It stands for so many payments, which another file names. */
  sumOf?: number
}

/** What every writer needs to know. */
export interface FileSettings {
  account: string
  currency: string
  /** Of the statement; 1. */
  number?: number
  /** The balance at its beginning; 10,000.00. */
  opening?: string
  /** The balance at its end; what the movements add up to. Said otherwise in MT940 alone. */
  closing?: string
  /** Whose account it is. */
  owner?: string
}

export interface WrittenFile<M extends Movement = Movement> {
  content: Buffer
  /** The movements in the order in which a reader finds them. */
  payments: M[]
}

export const readOpening = ({ opening = '10000.00' }: Pick<FileSettings, 'opening'>): bigint => toUnits(opening)

export const sortByDay = <M extends Movement>(payments: readonly M[]): M[] =>
  payments.toSorted((one, other) => (one.bookedOn < other.bookedOn ? -1 : one.bookedOn > other.bookedOn ? 1 : 0))

/** In units, below 0 for a debit. */
export const toSignedUnits = ({ direction, amount }: Pick<Movement, 'direction' | 'amount'>): bigint =>
  direction === 'debit' ? -toUnits(amount) : toUnits(amount)

/** The balance after each movement, in units. What is only announced changes none. */
export function listBalances(movements: readonly Movement[], settings: Pick<FileSettings, 'opening'>): bigint[] {
  let balance = readOpening(settings)
  return movements.map((movement) => (balance += movement.isPending ? 0n : toSignedUnits(movement)))
}

export const toUnsigned = (value: bigint): string => fromUnits(value < 0n ? -value : value)

/** Cuts a text wherever the bank does. */
export const cutText = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []
