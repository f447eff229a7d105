import { toUnits } from '#server/lib/decimal.ts'
import { compactIban } from '#contract/iban.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { getLineDay } from './days.ts'
import { splitWords } from './name-tokens.ts'
import { comparePayer, type PayerLikeness } from './payer.ts'
import { type Evidence, findEvidence } from './references.ts'
import type { MatchMember, MatchLookup } from './lookup.ts'

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
