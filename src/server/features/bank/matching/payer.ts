import type { StatementLine } from '#server/features/bank/readers/statement.ts'
import { compareNames, type NameLikeness, sameName } from './names.ts'
import type { MatchMember, MatchWorld } from './world.ts'

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

export const getPayerNames = ({ counterparty }: StatementLine): string[] =>
  [counterparty.name, counterparty.ultimate].filter((name) => name !== null && name !== '') as string[]

/** Compares the name and the account of the payer with a member. */
export function comparePayer(line: StatementLine, member: MatchMember, world: MatchWorld): PayerLikeness {
  const { iban } = line.counterparty
  // An account that several members pay from, such as a couple's or a payment service's, tells none of them apart.
  const owners = iban ? world.findAccountOwners(iban) : []
  const isKnownAccount = owners.length === 1 && owners[0] === member.id
  const isOthersAccount = owners.length === 1 && !isKnownAccount
  const [best] = getPayerNames(line)
    .map((name) => compareNames(name, member))
    .toSorted((one, other) => other.score - one.score)
  const { score, finding } = best ?? { score: 0, finding: 'missing' as const }
  const isMember = !isOthersAccount && score >= sameName && finding !== 'company'
  const accounts = iban ? world.findAccounts(member.id) : []
  const isNewAccount = iban !== null && accounts.length > 0 && !accounts.includes(iban)
  return { score, finding, isKnownAccount, isOthersAccount, isNewAccount, isMember }
}

/** Whether the line names a payer whose name can be compared. */
export const hasPayerName = ({ finding }: NameLikeness): boolean =>
  finding !== 'missing' && finding !== 'unknown' && finding !== 'script'
