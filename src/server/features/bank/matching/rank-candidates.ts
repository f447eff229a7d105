import type { MatchOutcome } from '#contract/bank-allocations.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { type Candidate, getOutcome, listOrders, type OrderCandidate } from './candidate.ts'
import { isAwaited, toDay } from './days.ts'
import { matchDebit } from './debits.ts'
import { collectLineFacts, type LineFacts, type MatchOptions, listPayerAccounts } from './line-facts.ts'
import type { MatchLookup, MatchMember, MatchOrder } from './lookup.ts'
import { listNameKeys } from './name-tokens.ts'
import { compareNames } from './names.ts'
import type { Evidence } from './references.ts'
import { matchReturns } from './returns.ts'
import { isEarly, isFromUnusualAccount, scoreOrders } from './score-orders.ts'
import { listNamingTexts } from './search-keys.ts'
import { findExactSets, mostTriedTogether, toAmountKey } from './sums.ts'

interface ShownScore {
  /** The points, from 0 to 100. */
  score: number
  /** Whether it is offered as likely. Others are possible. */
  isLikely: boolean
}
/** A candidate as it is shown. */
export type ShownCandidate<Shown extends Candidate = Candidate> = Shown & ShownScore

/** The outcome of a line. */
export interface Proposal {
  /** That of the first candidate. */
  outcome: MatchOutcome
  /** The best first. */
  candidates: ShownCandidate[]
  /** How many candidates fit as well as the first one. With 2 or more none of them is the first. */
  equallyGood: number
  /** Every order that the line names, shown as a candidate or not. */
  named: Evidence[]
}

/** A candidate with fewer points is not shown. */
const fewestShown = 25
const fewestLikely = 60
/** The most candidates that are shown. */
const mostShown = 5

/**
 * Ranks the orders that a line may pay, the credits that it may take back, and the transfers that it may return. `lookup` holds what the keys of `buildSearchKeys` find.
 */
export function rankCandidates(line: StatementLine, lookup: MatchLookup, options?: MatchOptions): Proposal {
  if (line.booking !== 'booked') return makeProposal('pending', [], [])
  if (line.direction === 'debit') {
    const { outcome, candidates, named } = matchDebit(line, lookup, options)
    return makeProposal(outcome, candidates, named)
  }
  const facts = collectLineFacts(line, lookup, options)
  if (facts.amount === 0n) return makeProposal('unmatched', [], [])
  const isPaid = ({ id }: MatchOrder) => options?.paidOrders?.has(id) ?? false
  const candidates = findCandidates(facts).flatMap((orders) => {
    if (orders.some(isPaid)) return []
    const member = lookup.findMember(orders[0]!.memberId)
    return member ? [scoreOrders(facts, orders, member)] : []
  })
  const returns = matchReturns(line, lookup, options)
  return makeProposal('unmatched', [...returns, ...candidates], [...facts.evidence.values()], facts)
}

/** Scores a credit paying an order that a person chose. `lookup` holds the order and its member, too. */
export function scoreChosenOrder(
  line: StatementLine,
  order: MatchOrder,
  lookup: MatchLookup,
  options?: MatchOptions,
): ShownCandidate<OrderCandidate> {
  const member = lookup.findMember(order.memberId) ?? { id: order.memberId, firstName: null, lastName: null }
  return showCandidate(scoreOrders(collectLineFacts(line, lookup, options), [order], member))
}

/** Candidates that a person searched for, what fits best first. */
export const showFound = (candidates: readonly Candidate[]): ShownCandidate[] =>
  candidates.toSorted((one, other) => other.points - one.points).map((each) => showCandidate(each))

const showCandidate = <Shown extends Candidate>(candidate: Shown): ShownCandidate<Shown> => ({
  ...candidate,
  score: Math.max(0, Math.min(candidate.points, 100)),
  isLikely: candidate.points >= fewestLikely,
})

/** `outcome` is that of a line without candidates. */
function makeProposal(
  outcome: MatchOutcome,
  candidates: readonly Candidate[],
  named: Evidence[],
  facts?: LineFacts,
): Proposal {
  const day = facts?.day ?? null
  const ranked = candidates
    .filter(({ points }) => points >= fewestShown)
    .toSorted((one, other) => compareFit(one, other) || compareTied(one, other, day))
  const [best] = ranked
  return {
    outcome: best ? getOutcome(best) : outcome,
    candidates: ranked.slice(0, mostShown).map((each) => showCandidate(each)),
    equallyGood: ranked.filter((candidate) => compareFit(candidate, best!) === 0).length,
    named,
  }
}

/** The better one first; money that comes back pays nothing, so a return comes before all orders. 0 where they fit equally. */
const compareFit = (one: Candidate, other: Candidate): number =>
  Number(other.kind === 'return') - Number(one.kind === 'return') ||
  other.points - one.points ||
  Number(isFromElsewhere(one)) - Number(isFromElsewhere(other))

const isFromElsewhere = (candidate: Candidate) => candidate.kind === 'order' && isFromUnusualAccount(candidate.payer)

/** Fewer orders first, then the ones whose last one was made nearest to the day of the payment. */
function compareTied(one: Candidate, other: Candidate, day: string | null): number {
  const byCount = listOrders(one).length - listOrders(other).length
  const byTime = measureDays(one, day) - measureDays(other, day)
  return byCount || byTime || compareFirstNumber(one, other)
}

function measureDays(candidate: Candidate, day: string | null): number {
  const last = listOrders(candidate)
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1)
  return day === null || !last ? 0 : Math.abs(Date.parse(day) - Date.parse(toDay(last)))
}

function compareFirstNumber(one: Candidate, other: Candidate): number {
  const [left = '', right = ''] = [one, other].map((each) => listOrders(each)[0]?.orderNumber)
  return left < right ? -1 : left > right ? 1 : 0
}

/** An amount that more orders waited for on the day of the payment says nothing by itself. */
const mostOfOneAmount = 3
/** A name from this score on makes the member's open orders candidates. */
export const likelyName = 0.8

/** The orders, and the sets of orders of one member, that a credit may pay. */
function findCandidates(facts: LineFacts): MatchOrder[][] {
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
