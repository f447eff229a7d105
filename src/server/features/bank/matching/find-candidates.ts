import { isAwaited } from './days.ts'
import { listNameKeys } from './name-tokens.ts'
import { compareNames } from './names.ts'
import type { LineFacts } from './line-facts.ts'
import { listPayerAccounts } from './payer.ts'
import { listNamingTexts } from './search-keys.ts'
import { isEarly } from './outcome.ts'
import { findExactSets, toAmountKey } from './sums.ts'
import type { MatchMember, MatchOrder, MatchLookup } from './lookup.ts'

/** An amount that more orders waited for on the day of the payment says nothing by itself. */
const mostOfOneAmount = 3
/** The most open orders of a member that are tried together. */
export const mostTriedTogether = 16
/** A name from this score on makes the member's open orders candidates. */
export const likelyName = 0.8

/** The orders, and the sets of orders of one member, that a credit may pay. */
export function findCandidates(facts: LineFacts): MatchOrder[][] {
  const members = findLikelyMembers(facts)
  return [...findSingleOrders(facts, members), ...findSets(facts, members)]
}

function findSingleOrders({ line, lookup, evidence, day }: LineFacts, members: readonly MatchMember[]): MatchOrder[][] {
  const orders = new Map<string, MatchOrder>()
  const add = (order: MatchOrder) => orders.set(order.id, order)
  for (const { order } of evidence.values()) add(order)
  for (const { id } of members) findAwaitedOrders(lookup, id, day).forEach(add)
  const ofAmount = lookup.findOrders('amount', toAmountKey(line.currency, line.amount))
  const equal = ofAmount.filter((order) => isAwaited(order, day) && !isEarly([order], day))
  if (equal.length <= mostOfOneAmount) equal.forEach(add)
  return [...orders.values()].map((order) => [order])
}

const findAwaitedOrders = (lookup: MatchLookup, memberId: string, day: string | null): MatchOrder[] =>
  lookup.findOpenOrders(memberId).filter((order) => isAwaited(order, day))

function findSets({ line, lookup, evidence, amount, day }: LineFacts, members: readonly MatchMember[]): MatchOrder[][] {
  const named = [...evidence.values()].filter(({ kind }) => kind !== 'digits')
  const memberIds = new Set([...named.map(({ order }) => order.memberId), ...members.map(({ id }) => id)])
  return [...memberIds].flatMap((memberId) => {
    const open = findAwaitedOrders(lookup, memberId, day).filter(({ currency }) => currency === line.currency)
    // The orders that the text names are tried first.
    const namedFirst = open.toSorted((one, other) => Number(evidence.has(other.id)) - Number(evidence.has(one.id)))
    return findExactSets(namedFirst.slice(0, mostTriedTogether), amount)
  })
}

/** The members who have paid from the account, and those whose name the line bears. */
function findLikelyMembers({ line, lookup }: LineFacts): MatchMember[] {
  const members = new Map<string, MatchMember>()
  for (const id of listPayerAccounts(line).flatMap((account) => lookup.findAccountOwners(account))) {
    const member = lookup.findMember(id)
    if (member) members.set(id, member)
  }
  for (const text of listNamingTexts(line)) {
    const found = new Set(listNameKeys(text).flatMap((key) => lookup.findMembersByName(key)))
    for (const member of found)
      if (!members.has(member.id) && compareNames(text, member).score >= likelyName) members.set(member.id, member)
  }
  return [...members.values()]
}
