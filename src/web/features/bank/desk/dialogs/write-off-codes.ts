import type { WriteOffCode } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'

/** What money may be for in either direction. A digit means the same in both, so that a hand that knows it books nothing wrong. */
const ofBoth: WriteOffCode[] = ['other_business', 'own_transfer', 'fee', 'interest', 'unknown_returned']

/** What money that came in, or went out, may be for when it is for no order. */
export const writeOffCodesOf: Record<BankLine['direction'], WriteOffCode[]> = {
  credit: [...ofBoth, 'small_difference'],
  debit: [...ofBoth, 'outgoing'],
}

const feeWords = /\b(fees?|charges?|entgelt\w*|geb(ue|ü)hr\w*|kontof(ue|ü)hrung\w*|comiss\w*|frais|spese)\b/i
const interestWords = /\b(interest|\w*zins\w*|juros|intereses|int[eé]r[eê]ts|odsetki)\b/i

/**
 * What a line is, as it seems. What nobody else is named on, is the bank's own, if its text says so. `ownAccounts` are the numbers of
 * our accounts, without blanks. Null of other money that came in: it may be a member's, and is not put aside by one key.
 */
export function suggestWriteOffCode(line: BankLine, ownAccounts: readonly string[] = []): WriteOffCode | null {
  const { direction, payer, remittance, info, isReversal } = line
  const text = [...remittance, ...info].join(' ')
  const isOfBank = payer.name === null && payer.account === null
  if (isOfBank && feeWords.test(text)) return 'fee'
  if (isOfBank && interestWords.test(text)) return 'interest'
  if (payer.account !== null && ownAccounts.includes(payer.account)) return 'own_transfer'
  // We did not pay what the bank took back.
  if (direction === 'debit' && isReversal) return 'unknown_returned'
  return direction === 'credit' ? null : 'outgoing'
}
