import { fromUnits } from '#server/lib/decimal.ts'
import { signedUnits } from './readers/balances.ts'
import type { Balance } from './readers/statement.ts'

/** SQL: an amount as text of 2 to 5 places. */
export const formatMoney = (expression: string): string =>
  `round(${expression}, greatest(2, min_scale(${expression})))::text`

/** A balance as one number, below 0 where the account is overdrawn. */
export const signedAmount = (balance: Balance | null): string | null => balance && fromUnits(signedUnits(balance))
