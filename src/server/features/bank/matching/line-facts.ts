import { toUnits } from '#server/lib/decimal.ts'
import { compactIban } from '#contract/iban.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { getLineDay } from './days.ts'
import { splitWords } from './name-tokens.ts'
import { type Evidence, findEvidence } from './references.ts'
import type { MatchMember, MatchLookup } from './lookup.ts'
import { isFilled } from '#server/features/bank/statements/readers/text.ts'
import { compareNames, type NameLikeness, sameName } from './names.ts'

export interface MatchOptions {
  /** The id of the account that the line belongs to. Without it all credits are taken for those of its account. */
  accountId?: string
  /** The account that the line belongs to. Null where it is not an IBAN. */
  account?: string | null
  /** What the banks between may keep of a transfer, as a decimal string in the line's currency. */
  feeTolerance?: string
  /** The ids of the orders to which money of the line was applied before. */
  paidOrders?: ReadonlySet<string>
  /** By order id: who undid that the line paid it, and why. */
  undonePayments?: ReadonlyMap<string, UndonePayment>
}

/** A person decided that the line does not pay an order. */
export interface UndonePayment {
  by: string
  reason: string
}

/** A line with what has to be found out only once for all its candidates. */
export interface LineFacts {
  line: StatementLine
  lookup: MatchLookup
  amount: bigint
  /** YYYY-MM-DD. */
  day: string | null
  account: string | null
  feeTolerance: bigint
  /** What the payer and the bank wrote. Some banks put all into the latter. */
  texts: string[]
  /** The words of the texts, with a blank around each. */
  words: string
  /** By order id. */
  evidence: ReadonlyMap<string, Evidence>
  /** By order id. */
  undonePayments: ReadonlyMap<string, UndonePayment>
  comparePayer(member: MatchMember): PayerLikeness
}

export function collectLineFacts(line: StatementLine, lookup: MatchLookup, options: MatchOptions = {}): LineFacts {
  const texts = [...line.remittance, ...line.info]
  const compared = new Map<string, PayerLikeness>()
  return {
    line,
    lookup,
    texts,
    amount: toUnits(line.amount),
    day: getLineDay(line),
    account: options.account ? compactIban(options.account) : null,
    feeTolerance: toUnits(options.feeTolerance ?? '35.00'),
    words: joinWords(texts.join(' ')),
    evidence: findEvidence(line, lookup),
    undonePayments: options.undonePayments ?? new Map(),
    comparePayer(member) {
      const known = compared.get(member.id) ?? comparePayer(line, member, lookup)
      compared.set(member.id, known)
      return known
    },
  }
}

/** The words of a text with a blank around each, so that a word is found whole. */
export const joinWords = (text: string): string => ` ${splitWords(text).join(' ')} `

/** How well the payer of a line fits a member. */
export interface PayerLikeness extends NameLikeness {
  /** The account was confirmed for this member alone. */
  isKnownAccount: boolean
  /** The account was confirmed for one other member alone. */
  isOthersAccount: boolean
  /** Accounts were confirmed for the member, and this is another one. */
  isNewAccount: boolean
  /** As far as name and account can tell, the member paid. */
  isMember: boolean
}

/** All names that a line has for its payer. Only that of the account's holder tells who paid, the others suggest it. */
export const listPayerNames = ({ counterparty: { name, ultimate, textName } }: StatementLine): string[] =>
  [name, ultimate, textName].filter(isFilled)

/** The IBANs that a line has for its payer's account: the bank's own, and one in its texts, which only suggests who paid. */
export const listPayerAccounts = ({ counterparty: { iban, textIban } }: StatementLine): string[] =>
  [iban, textIban].filter(isFilled)

/** Compares what the bank says of the payer with a member: the holder of the account and its number. */
export function comparePayer(line: StatementLine, member: MatchMember, lookup: MatchLookup): PayerLikeness {
  const { name, iban } = line.counterparty
  // An account that several members pay from, such as a couple's or a payment service's, tells none of them apart.
  const owners = iban ? lookup.findAccountOwners(iban) : []
  const isKnownAccount = owners.length === 1 && owners[0] === member.id
  const isOthersAccount = owners.length === 1 && !isKnownAccount
  const { score, finding } = name ? compareNames(name, member) : { score: 0, finding: 'missing' as const }
  const isMember = !isOthersAccount && score >= sameName && finding !== 'company'
  const accounts = iban ? lookup.findAccounts(member.id) : []
  const isNewAccount = iban !== null && accounts.length > 0 && !accounts.includes(iban)
  return { score, finding, isKnownAccount, isOthersAccount, isNewAccount, isMember }
}

/** Whether the line names a payer whose name can be compared. */
export const hasPayerName = ({ finding }: NameLikeness): boolean =>
  finding !== 'missing' && finding !== 'unknown' && finding !== 'script'

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
