import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { Balance, StatementLine } from './statement.ts'

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
