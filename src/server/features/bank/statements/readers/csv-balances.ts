import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { hasAmount } from './csv-row.ts'
import { isBalanceWord } from './csv-value-words.ts'
import { absolute, fromUnits, parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import { type Balance, type StatementLine, signedUnits } from './statement.ts'
import { quote } from './text.ts'

interface Point {
  line: StatementLine
  /** In units of 1e-5. */
  before: bigint
  after: bigint
}

/** A row that names a balance and has an amount, so that it may be a payment with such a text. */
interface NamedBalance {
  place: string
  text: string
  units: bigint
  bookedOn: string | null
}

export interface CsvBalances {
  opening: Balance | null
  closing: Balance | null
  /** The row at which the column of balances contradicts the amounts. */
  warning?: string
  /** What no balance proves. */
  unreadable: string[]
}

/** The cell of a row that names a balance. A row with an amount that names who paid is a payment. */
export function findBalanceText(row: readonly string[], profile: CsvProfile): string | undefined {
  const { name, iban } = profile.columns
  const isPayment = hasAmount(row, profile) && [name, iban].some((at) => row[at ?? -1]?.trim())
  return isPayment ? undefined : row.find(isBalanceWord)
}

const toBalance = (units: bigint, bookedOn: string | null, currency: string): Balance => ({
  amount: fromUnits(absolute(units)),
  direction: units < 0n ? 'debit' : 'credit',
  currency,
  day: bookedOn,
})

/**
 * Follows the column of balances, oldest or newest row first. Where it adds up row by row, its ends are the opening and the closing
 * balance of the file; where it does not, the file has none and the row is named. Rows that name a balance are balances if the
 * rows between them, or that column, prove it.
 */
export class BalanceTrail {
  readonly #profile: CsvProfile
  readonly #currency: string
  readonly #named: NamedBalance[] = []
  /** Where the column contradicts the amounts, read from the oldest row and from the newest. */
  readonly #broken: { rising?: string; falling?: string } = {}
  #first: Point | undefined
  #last: Point | undefined
  #sum = 0n
  #isWhole: boolean

  constructor(profile: CsvProfile, currency: string) {
    this.#profile = profile
    this.#currency = currency
    this.#isWhole = profile.columns.balance !== undefined
  }

  /** Takes a row and its line, which is undefined where the row cannot be read. */
  add(row: readonly string[], line: StatementLine | undefined): void {
    const { columns, decimalSign } = this.#profile
    const written = parseLocalAmount(row[columns.balance ?? -1] ?? '', decimalSign)?.amount
    if (line) this.#sum += signedUnits(line)
    if (!line || written === undefined) {
      this.#isWhole = false
      return
    }
    const after = toUnits(written)
    const point = { line, before: after - signedUnits(line), after }
    const told = `${line.place}: the balance ${written} does not follow from the amounts of the rows`
    if (this.#last && this.#last.after !== point.before) this.#broken.rising ??= told
    if (this.#last && this.#last.before !== point.after) this.#broken.falling ??= told
    this.#first ??= point
    this.#last = point
  }

  /** Takes a row that names a balance, read as if it were a line. */
  addNamed(text: string, line: StatementLine): void {
    this.#named.push({ place: line.place, text, units: signedUnits(line), bookedOn: line.bookedOn })
  }

  end(): CsvBalances {
    const ofColumn = this.#findEnds()
    const ends = ofColumn ?? this.#findNamedEnds()
    const proven = ends ? [signedUnits(ends.opening), signedUnits(ends.closing)] : []
    const warning = this.#isWhole && !ofColumn ? (this.#broken.rising ?? this.#broken.falling) : undefined
    return {
      opening: ends?.opening ?? null,
      closing: ends?.closing ?? null,
      ...(warning && { warning }),
      unreadable: this.#named
        .filter(({ units }) => !proven.includes(units))
        .map(
          ({ place, text }) => `${place}: ${quote(text)} may be a balance or a payment, and the other rows do not tell`,
        ),
    }
  }

  #findEnds() {
    const { rising, falling } = this.#broken
    const [oldest, newest] =
      rising === undefined ? [this.#first, this.#last] : falling === undefined ? [this.#last, this.#first] : []
    if (!this.#isWhole || !oldest || !newest) return undefined
    return {
      opening: toBalance(oldest.before, oldest.line.bookedOn, this.#currency),
      closing: toBalance(newest.after, newest.line.bookedOn, this.#currency),
    }
  }

  #findNamedEnds() {
    const [one, two, more] = this.#named.toSorted((a, b) => (a.bookedOn ?? '').localeCompare(b.bookedOn ?? ''))
    if (!one || !two || more || one.units + this.#sum !== two.units) return undefined
    return {
      opening: toBalance(one.units, one.bookedOn, this.#currency),
      closing: toBalance(two.units, two.bookedOn, this.#currency),
    }
  }
}
