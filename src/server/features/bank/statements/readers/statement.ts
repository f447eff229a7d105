// What a bank's file says, whatever its format.
import { fromUnits, toUnits } from '#server/lib/decimal.ts'

/** Whether the bank has booked a line. `info` is one that the bank only mentions. */
export type BookingState = 'booked' | 'pending' | 'info'

/** Who stands on the other side of a line: the payer of a credit, the receiver of a debit. */
export interface Counterparty {
  /** The holder of the account, from a field that the bank itself fills in. */
  name: string | null
  /** On whose behalf it was paid, as the payer says. */
  ultimate: string | null
  /** Valid by its check digits, without blanks. As `account`, from a field that the bank itself fills in. */
  iban: string | null
  /** An account number that is not an IBAN. */
  account: string | null
  bic: string | null
  /** A name in a text that the payer may have written. As `ultimate` and `textIban` it suggests who paid, and proves nothing. */
  textName: string | null
  textIban: string | null
}

/** A reference that the payer gave as such: ISO 11649 or a bank's own scheme. */
export interface StructuredReference {
  scheme: string | null
  reference: string
}

/** The place of a line in a batch that the bank booked as one sum. */
export interface BatchPlace {
  /** The sum that was booked, exact. */
  total: string
  count: number | null
  /** From 1. */
  index?: number
  /** What the transactions leave of the booked sum. */
  isRest?: boolean
  /** The batch is one line, because its transactions have no amounts. */
  isWhole?: boolean
}

/** What a bank has booked, as one sum or one payment. */
export interface Entry {
  reference: string
  amount: string
  direction: 'credit' | 'debit'
}

/** One movement of an account. */
export interface StatementLine {
  /** "line 812", "transaction 4 of 9": where it stands in the file. */
  place: string
  /** Exact, 0 or more, with 2 to 5 places. */
  amount: string
  currency: string
  /** The direction of this booking, also of a reversal. */
  direction: 'credit' | 'debit'
  isReversal: boolean
  booking: BookingState
  /** YYYY-MM-DD. */
  bookedOn: string | null
  valueOn: string | null
  /** The bank's own reference. Not unique: batches and reversals repeat it. */
  bankReference: string | null
  /** The number of its entry, where the bank has no reference. Another file may have another number for it. */
  entryNumber?: string
  endToEndId: string | null
  uetr: string | null
  mandateId: string | null
  structured: StructuredReference[]
  /** What the payer wrote. */
  remittance: string[]
  /** What the bank wrote. */
  info: string[]
  counterparty: Counterparty
  /** The bank's code of the kind of transaction. */
  code: string | null
  returnReason: string | null
  /** What was sent, where it differs from what was booked. */
  instructed: { amount: string; currency: string } | null
  charges: { amount: string; currency: string }[]
  batch: BatchPlace | null
  /** The booked entry that it is a transaction of, where the bank names that by a reference of its own. */
  entry?: Entry
  warnings: string[]
}

export interface Balance {
  amount: string
  direction: 'credit' | 'debit'
  currency: string
  /** YYYY-MM-DD. */
  day: string | null
}

/** A statement, report or notification of one account. */
export interface Statement {
  kind: 'camt.052' | 'camt.053' | 'camt.054' | 'MT940' | 'MT942' | 'CSV'
  /** The bank's own id of the statement. It may come again each year. */
  externalId: string | null
  number: string | null
  /** An IBAN without blanks, or the bank's own number. */
  account: string
  accountName: string | null
  currency: string
  opening: Balance | null
  closing: Balance | null
  warnings: string[]
}

/** Why a file, or a place in it, cannot be read. The message is written for the operator. */
export class StatementError extends Error {
  readonly place: string | null

  constructor(message: string, place?: string) {
    super(place ? `${place}: ${message}` : message)
    this.place = place ?? null
  }

  /** The same refusal with the name of the file before it, of a zip. */
  inFile(name: string): StatementError {
    return new StatementError(this.message, name)
  }
}

/** Takes the lines of a statement, some at a time and in the order of the file. Reading waits for it. */
export interface StatementSink {
  /** A statement begins. What is known of it only at its end comes with `end`. */
  begin(statement: Statement): Promise<void>
  lines(lines: StatementLine[]): Promise<void>
  end(statement: Statement): Promise<void>
  /** A part of the file that cannot be read, with its place. The others are read all the same. */
  unreadable(message: string): void
}

export const emptyCounterparty = (): Counterparty => ({
  name: null,
  ultimate: null,
  iban: null,
  account: null,
  bic: null,
  textName: null,
  textIban: null,
})

type Essentials = Pick<StatementLine, 'place' | 'amount' | 'currency' | 'direction'>

/** A booked line of which nothing else is known. */
export const newLine = (known: Essentials & Partial<StatementLine>): StatementLine => ({
  isReversal: false,
  booking: 'booked',
  bookedOn: null,
  valueOn: null,
  bankReference: null,
  endToEndId: null,
  uetr: null,
  mandateId: null,
  structured: [],
  remittance: [],
  info: [],
  counterparty: emptyCounterparty(),
  code: null,
  returnReason: null,
  instructed: null,
  charges: [],
  batch: null,
  warnings: [],
  ...known,
})

/** How long the texts of a line are together. */
export const countLetters = ({ remittance, info, structured, endToEndId, counterparty }: StatementLine): number =>
  [...remittance, ...info, ...structured.map(({ reference }) => reference), endToEndId, ...Object.values(counterparty)]
    .map((text: string | null) => text?.length ?? 0)
    .reduce((sum, length) => sum + length, 0)

/** An amount in units of 1e-5, below 0 where it is a debit. */
export const signedUnits = ({ amount, direction }: { amount: string; direction: 'credit' | 'debit' }) =>
  direction === 'debit' ? -toUnits(amount) : toUnits(amount)

/** A balance as one number, below 0 where the account is overdrawn. */
export const signedAmount = (balance: Balance | null): string | null => balance && fromUnits(signedUnits(balance))

/** What the booked lines add up to, in units of 1e-5. */
export const sumBooked = (lines: Pick<StatementLine, 'amount' | 'direction' | 'booking'>[]) =>
  lines.reduce((sum, line) => (line.booking === 'booked' ? sum + signedUnits(line) : sum), 0n)

/** Opening balance plus booked lines less closing balance; null where the statement has no such balances. */
export function balanceDifference(
  { opening, closing }: { opening: Balance | null; closing: Balance | null },
  bookedUnits: bigint,
): string | null {
  if (!opening || !closing) return null
  return fromUnits(signedUnits(opening) + bookedUnits - signedUnits(closing))
}
