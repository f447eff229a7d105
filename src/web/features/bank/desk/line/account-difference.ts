import { formatAccountNumber } from '#web/lib/account-number.ts'

export interface AccountPiece {
  text: string
  isDifferent: boolean
}

/** An account number in groups of four, with the groups in which others differ from it. */
export const markDifferences = (account: string, others: readonly string[]): AccountPiece[] =>
  formatAccountNumber(account)
    .split(' ')
    .map((text, at) => ({
      text,
      isDifferent: others.some((other) => (formatAccountNumber(other).split(' ')[at] ?? '') !== text),
    }))
