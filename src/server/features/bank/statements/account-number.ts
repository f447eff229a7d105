import { compactIban } from '#contract/iban.ts'
import { isIban } from '#server/lib/iban.ts'

/** What an account number is compared by: files and people write the same one with other blanks, dots and hyphens. */
export const toAccountKey = compactIban

/** As it is stored and shown: an IBAN without blanks, any other number as it was entered. */
export const tidyAccount = (text: string): string => (isIban(compactIban(text)) ? compactIban(text) : text.trim())

const shortLength = 12

/** "DE89 3704 … 3000 (EUR)": enough to tell one's own accounts apart. */
export function describeAccount({ account, currency }: { account: string; currency: string }): string {
  const plain = account.replace(/\s/g, '')
  const number = plain.length > shortLength ? `${plain.slice(0, 4)} ${plain.slice(4, 8)} … ${plain.slice(-4)}` : account
  return currency ? `${number} (${currency})` : number
}
