import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { signedUnits } from './balances.ts'
import { absolute, fromUnits, parseLocalAmount, toUnits } from '#server/lib/decimal.ts'
import type { Balance, StatementLine } from './statement.ts'

const toBalance = (units: bigint, { currency, bookedOn }: StatementLine): Balance => ({
  amount: fromUnits(absolute(units)),
  direction: units < 0n ? 'debit' : 'credit',
  currency,
  day: bookedOn,
})

interface Point {
  line: StatementLine
  /** In units of 1e-5. */
  before: bigint
  after: bigint
}

/**
 * Follows the column of balances, oldest or newest row first. Where it adds up row by row, its ends are the opening and the
 * closing balance of the file; where it does not, the file has none.
 */
export function createBalanceTrail({ columns, decimalSign }: CsvProfile) {
  let first: Point | undefined
  let last: Point | undefined
  let isRising = columns.balance !== undefined
  let isFalling = isRising
  return {
    /** Takes a row and its line, which is undefined where the row cannot be read. */
    add(row: readonly string[], line: StatementLine | undefined) {
      const written = parseLocalAmount(row[columns.balance ?? -1] ?? '', decimalSign)
      if (!line || written === undefined) {
        isRising = isFalling = false
        return
      }
      const after = toUnits(written)
      const point = { line, before: after - signedUnits(line), after }
      isRising &&= !last || last.after === point.before
      isFalling &&= !last || last.before === point.after
      first ??= point
      last = point
    },
    end(): { opening: Balance | null; closing: Balance | null } {
      const [oldest, newest] = isRising ? [first, last] : [last, first]
      if (!oldest || !newest || !(isRising || isFalling)) return { opening: null, closing: null }
      return { opening: toBalance(oldest.before, oldest.line), closing: toBalance(newest.after, newest.line) }
    },
  }
}
