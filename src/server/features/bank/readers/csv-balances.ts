import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { signedUnits } from './balances.ts'
import { hasAmount } from './csv-row.ts'
import { isBalanceWord } from './csv-value-words.ts'
import { absolute, fromUnits, parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import type { Balance, StatementLine } from './statement.ts'
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

/**
 * Follows the column of balances, oldest or newest row first. Where it adds up row by row, its ends are the opening and the closing
 * balance of the file; where it does not, the file has none and the row is named. Rows that name a balance are balances if the
 * rows between them, or that column, prove it.
 */
export function createBalanceTrail({ columns, decimalSign }: CsvProfile, currency: string) {
  const named: NamedBalance[] = []
  let first: Point | undefined
  let last: Point | undefined
  let sum = 0n
  const broken: { rising?: string; falling?: string } = {}
  let isWhole = columns.balance !== undefined

  const toBalance = (units: bigint, bookedOn: string | null): Balance => ({
    amount: fromUnits(absolute(units)),
    direction: units < 0n ? 'debit' : 'credit',
    currency,
    day: bookedOn,
  })

  function findEnds() {
    const isRising = isWhole && broken.rising === undefined
    const isFalling = isWhole && broken.falling === undefined
    const [oldest, newest] = isRising ? [first, last] : isFalling ? [last, first] : []
    if (!oldest || !newest) return undefined
    return {
      opening: toBalance(oldest.before, oldest.line.bookedOn),
      closing: toBalance(newest.after, newest.line.bookedOn),
    }
  }

  const isProven = ({ units }: NamedBalance, { opening, closing }: { opening: Balance; closing: Balance }) =>
    [opening, closing].some((balance) => signedUnits(balance) === units)

  return {
    /** Takes a row and its line, which is undefined where the row cannot be read. */
    add(row: readonly string[], line: StatementLine | undefined) {
      const written = parseLocalAmount(row[columns.balance ?? -1] ?? '', decimalSign)?.amount
      if (line) sum += signedUnits(line)
      if (!line || written === undefined) {
        isWhole = false
        return
      }
      const after = toUnits(written)
      const point = { line, before: after - signedUnits(line), after }
      const told = `${line.place}: the balance ${written} does not follow from the amounts of the rows`
      if (last && last.after !== point.before) broken.rising ??= told
      if (last && last.before !== point.after) broken.falling ??= told
      first ??= point
      last = point
    },
    /** Takes a row that names a balance, read as if it were a line. */
    addNamed(text: string, line: StatementLine) {
      named.push({ place: line.place, text, units: signedUnits(line), bookedOn: line.bookedOn })
    },
    end(): CsvBalances {
      const [one, two, more] = named.toSorted((a, b) => (a.bookedOn ?? '').localeCompare(b.bookedOn ?? ''))
      const ends =
        findEnds() ??
        (one && two && !more && one.units + sum === two.units
          ? { opening: toBalance(one.units, one.bookedOn), closing: toBalance(two.units, two.bookedOn) }
          : undefined)
      const unproven = named.filter((each) => !ends || !isProven(each, ends))
      const warning = isWhole && !findEnds() ? (broken.rising ?? broken.falling) : undefined
      return {
        opening: ends?.opening ?? null,
        closing: ends?.closing ?? null,
        ...(warning && { warning }),
        unreadable: unproven.map(
          ({ place, text }) => `${place}: ${quote(text)} may be a balance or a payment, and the other rows do not tell`,
        ),
      }
    },
  }
}
