import { compactIban } from '#contract/iban.ts'
import { splitWords } from './name-tokens.ts'

/** Who has the account at the other end of a line. */
export interface Holder {
  account: string | null
  name: string | null
}

/** A bank writes one account as an IBAN and as its own number, which then ends the IBAN. */
function isSameAccount(one: string, other: string): boolean {
  const [short, long] = [compactIban(one), compactIban(other)].toSorted((a, b) => a.length - b.length)
  const number = short!.replace(/^0+/, '')
  return short === long || (/^\d{4,}$/.test(number) && long!.endsWith(number))
}

/** Whether the accounts are two. False where one is not known. */
export const isOtherAccount = (one: Holder, other: Holder): boolean =>
  Boolean(one.account && other.account) && !isSameAccount(one.account!, other.account!)

/** Whether the names have no word in common. False where one is not known. */
function isOtherName(one: string | null, other: string | null): boolean {
  const words = new Set(splitWords(one ?? ''))
  const others = splitWords(other ?? '')
  return words.size > 0 && others.length > 0 && !others.some((word) => words.has(word))
}

/** Whether the accounts are two, or the names where an account is not known. False where neither tells. */
export const isOtherHolder = (one: Holder, other: Holder): boolean =>
  one.account && other.account ? isOtherAccount(one, other) : isOtherName(one.name, other.name)
