import type { MatchFlag, MatchOutcome } from '#contract/reconciliation.ts'
import type { MatchOrder } from './lookup.ts'
import { toDay } from './days.ts'
import type { LineFacts } from './line-facts.ts'
import { hasPayerName, type PayerLikeness } from './payer.ts'
import { similarName } from './names.ts'
import { canTakeMoney } from './sums.ts'
import { compactIban } from '#contract/iban.ts'

export const isPastExpiry = (orders: readonly MatchOrder[], day: string | null): boolean =>
  day !== null && orders.some(({ expiresAt }) => day > toDay(expiresAt))

export const isEarly = (orders: readonly MatchOrder[], day: string | null): boolean =>
  day !== null && orders.some(({ createdAt }) => day < toDay(createdAt))

/** What a credit means for orders that wait for `wanted` together. */
export function findOutcome(
  { line, amount, day }: LineFacts,
  orders: readonly MatchOrder[],
  wanted: bigint,
): MatchOutcome {
  if (orders.some(({ currency }) => currency !== line.currency)) return 'wrong_currency'
  if (orders.some(({ status }) => status === 'cancelled')) return 'cancelled_order'
  if (!orders.every(canTakeMoney)) return 'duplicate'
  const waiting = orders.filter(({ isPaidByHand, isOwed }) => !isPaidByHand && !isOwed)
  if (waiting.some(({ status }) => status === 'expired') || isPastExpiry(waiting, day)) return 'late'
  if (amount < wanted) return 'partial'
  return amount > wanted ? 'overpaid' : 'exact'
}

export function findFlags({ account, lookup }: LineFacts, orders: readonly MatchOrder[], payer: PayerLikeness) {
  const flags: MatchFlag[] = []
  const isOtherName = hasPayerName(payer) && payer.score < similarName && !payer.isKnownAccount
  if (payer.isOthersAccount || isOtherName) flags.push('third_party')
  else if (!payer.isKnownAccount && !payer.isMember) flags.push('payer_unsure')
  const isElsewhere = ({ iban }: MatchOrder) => {
    const asked = iban ? compactIban(iban) : null
    return account !== null && asked !== null && asked !== account && lookup.isOwnAccount(asked)
  }
  if (orders.some(isElsewhere)) flags.push('other_account')
  return flags
}
