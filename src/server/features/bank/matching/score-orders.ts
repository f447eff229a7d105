import { compactIban } from '#contract/iban.ts'
import { orderStatusLabels } from '#contract/order-moves.ts'
import { type EvidenceKind, evidenceKinds, type MatchFlag, type MatchOutcome } from '#contract/bank-allocations.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { addPoints, type OrderCandidate, type Reason } from './candidate.ts'
import { countDays, toDay } from './days.ts'
import { joinWords, type LineFacts, hasPayerName, type PayerLikeness } from './line-facts.ts'
import type { MatchMember, MatchOrder } from './lookup.ts'
import { compareNames, type NameFinding, sameName, similarName } from './names.ts'
import type { Evidence } from './references.ts'
import { allocateAmount, canTakeMoney, sumOutstanding } from './sums.ts'

const evidencePoints: Record<EvidenceKind, number> = { rf: 60, number: 55, lookAlike: 38, typo: 32, digits: 30 }
const evidenceTexts: Record<EvidenceKind, string> = {
  rf: 'Names its payment reference',
  number: 'Names the order number',
  lookAlike: 'Names the order number, except for letters and digits that look alike',
  typo: 'Names the order number, except for one character',
  digits: 'Names the digits of the order number',
}

const nameTexts: Record<NameFinding, string> = {
  same: "The payer's name is the member's",
  similar: "The payer's name is the member's, with more or fewer names",
  initial: "The payer has the member's initial and family name",
  cut: "The payer's name, which the bank cut off, begins like the member's",
  family: 'Another person with the same family name paid',
  company: 'A company paid',
  other: "The payer's name is not the member's",
  script: "The payer's name and the member's are in different scripts, so that nothing tells whether they are the same",
  unknown: 'The name of the payer cannot be read',
  missing: 'The line names no payer',
}

/** What a payer may write of the member, which does not say who paid. */
const claimTexts = {
  name: 'The text names the member',
  ultimate: "On the member's behalf, as the payer says",
  account: 'The text has an account that the member has paid from',
}
/** Whether a reason rests on what the payer wrote. */
const isClaim = ({ text }: Reason): boolean => Object.values(claimTexts).includes(text)

/** Weighs up what speaks for and against a credit paying these orders of one member. */
export function scoreOrders(facts: LineFacts, orders: readonly MatchOrder[], member: MatchMember): OrderCandidate {
  const payer = facts.comparePayer(member)
  const evidence = orders.map(({ id }) => facts.evidence.get(id) ?? null)
  const wanted = sumOutstanding(orders)
  const outcome = findOutcome(facts, orders, wanted)
  const isNamed = evidence.some((each) => each?.kind === 'rf' || each?.kind === 'number')
  const reasons = [
    ...scoreEvidence(evidence),
    ...scoreAmount(facts, orders, wanted),
    ...scorePayer(payer, isNamed),
    ...scoreClaims(facts, member, payer),
    ...scoreProject(facts, orders),
    ...scoreTime(facts, orders),
    ...scoreStatus(orders),
    ...scoreUndone(facts, orders),
  ]
  return {
    kind: 'order',
    ...addPoints(reasons),
    orders,
    allocations: outcome === 'wrong_currency' ? [] : allocateAmount(orders, facts.amount),
    outcome,
    flags: findFlags(facts, orders, payer),
    evidence,
    payer,
    isClaimed: !payer.isMember && !payer.isKnownAccount && reasons.some(isClaim),
    isBanned: member.isBanned ?? false,
    isUndone: orders.some(({ id }) => facts.undonePayments.has(id)),
  }
}

function scoreEvidence(evidence: readonly (Evidence | null)[]): Reason[] {
  const surest = evidenceKinds.findLast((kind) => evidence.some((each) => each?.kind === kind))
  if (!surest) return []
  const unnamed = evidence.filter((each) => each === null).length
  const missing = { points: -8 * unnamed, text: `Does not name ${unnamed} of the ${evidence.length} orders` }
  const isDoubtful = surest !== 'rf' && surest !== 'number'
  const found = { points: evidencePoints[surest], text: evidenceTexts[surest], isDoubtful }
  return [found, ...(unnamed > 0 ? [missing] : [])]
}

function scoreAmount(facts: LineFacts, orders: readonly MatchOrder[], wanted: bigint): Reason[] {
  const { line, amount, feeTolerance } = facts
  const other = orders.find(({ currency }) => currency !== line.currency)
  if (other) return [{ points: -15, text: `Paid in ${line.currency}, the order asks for ${other.currency}` }]
  if (amount === wanted) {
    if (orders.length > 1)
      return [{ points: 25 - 3 * orders.length, text: `The amount is that of ${orders.length} orders together` }]
    return [{ points: 25, text: 'The amount is exact' }]
  }
  const less = wanted - amount
  if (less > 0n && less === sumCharges(facts))
    return [{ points: 15, text: `${fromUnits(less)} ${line.currency} less, which the bank kept as charges` }]
  if (less > 0n && less <= feeTolerance)
    return [
      { points: 10, text: `${fromUnits(less)} ${line.currency} less, as a bank's fee would be`, isDoubtful: true },
    ]
  if (-less * 10n > wanted) return [{ points: -12, text: 'Much more than the order asks for' }]
  return []
}

/** What the file says that banks kept, as far as it is in the currency of the line. */
const sumCharges = ({ line: { charges, currency } }: LineFacts): bigint =>
  charges.reduce((sum, charge) => (charge.currency === currency ? sum + toUnits(charge.amount) : sum), 0n)

/** A payer who names the order and pays it means this order, no matter who it is. Then another payer weighs less. */
function scorePayer(payer: PayerLikeness, isNamed: boolean): Reason[] {
  const doubt = (points: number) => Math.round(points * (isNamed ? 0.4 : 1))
  const reasons: Reason[] = []
  if (payer.isKnownAccount) reasons.push({ points: 25, text: 'The member has paid from this account before' })
  if (payer.isOthersAccount) reasons.push({ points: doubt(-25), text: 'The account belongs to another member' })
  // It decides between candidates that fit equally otherwise, so it has no points.
  if (isFromUnusualAccount(payer)) reasons.push({ points: 0, text: 'The member has paid from another account so far' })
  const isDoubtful = payer.finding !== 'same'
  const likeText = payer.finding === 'cut' ? nameTexts.cut : "The payer's name is like the member's"
  if (payer.score >= sameName) reasons.push({ points: 20, text: nameTexts[payer.finding], isDoubtful })
  else if (payer.score >= similarName) reasons.push({ points: 8, text: likeText, isDoubtful: true })
  // A payment service pays for many. Its name says less than that of another person.
  else if (payer.finding === 'company') reasons.push({ points: doubt(-5), text: nameTexts.company })
  else if (payer.finding === 'script' && !payer.isKnownAccount)
    reasons.push({ points: doubt(-3), text: nameTexts.script })
  else if (hasPayerName(payer)) reasons.push({ points: doubt(-10), text: nameTexts[payer.finding] })
  return reasons
}

/** The member paid, as it seems, but has always paid from another account. Of two namesakes this is the less likely one. */
export const isFromUnusualAccount = (payer: PayerLikeness): boolean => payer.isNewAccount && payer.isMember

/** What the payer wrote of the member suggests who paid, where the bank does not say it. Where the bank names nobody, nothing else does. */
function scoreClaims({ line, texts, lookup }: LineFacts, member: MatchMember, payer: PayerLikeness): Reason[] {
  const { ultimate, textName, textIban } = line.counterparty
  const isNamedIn = (named: (string | null)[], score: number) =>
    payer.score < sameName && named.some((text) => compareNames(text, member).score >= score)
  const claims: Record<keyof typeof claimTexts, boolean> = {
    ultimate: isNamedIn([ultimate], sameName),
    name: isNamedIn([textName], sameName) || isNamedIn(texts, 0.9),
    account: textIban !== null && !payer.isKnownAccount && lookup.findAccountOwners(textIban).join() === member.id,
  }
  const found = Object.entries(claimTexts).filter(([claim]) => claims[claim as keyof typeof claimTexts])
  const points = payer.finding === 'missing' ? 20 : 10
  return found.map(([, text]) => ({ points, text, isDoubtful: true }))
}

function scoreProject({ words }: LineFacts, orders: readonly MatchOrder[]): Reason[] {
  const isNamed = orders.some(({ projectName }) => {
    const name = joinWords(projectName)
    return name.trim() !== '' && words.includes(name)
  })
  return isNamed ? [{ points: 6, text: 'The text names the project', isDoubtful: true }] : []
}

function scoreTime({ day }: LineFacts, orders: readonly MatchOrder[]): Reason[] {
  if (day === null) return []
  if (isEarly(orders, day)) return [{ points: -30, text: 'Paid before the order was made' }]
  if (isPastExpiry(orders, day)) return [{ points: -5, text: describeLateness(orders, day) }]
  if (orders.some(({ status }) => status === 'expired'))
    return [{ points: 5, text: 'Paid in time, but the order has expired since', isDoubtful: true }]
  return [{ points: 5, text: 'Paid while the order waited' }]
}

/** By how many days the money came after the end of the order, of several the one that ended first. */
function describeLateness(orders: readonly MatchOrder[], day: string): string {
  const days = Math.max(...orders.map(({ expiresAt }) => countDays(toDay(expiresAt), day)))
  return `Booked ${days} ${days === 1 ? 'day' : 'days'} after the order's end`
}

function scoreStatus(orders: readonly MatchOrder[]): Reason[] {
  const closed = orders.find((order) => !canTakeMoney(order))
  const isByHand = orders.some(({ isPaidByHand }) => isPaidByHand)
  const owed = { points: 0, text: 'Completed, and the bank took its money back' }
  if (!closed && orders.some(({ isOwed }) => isOwed)) return [owed]
  if (!closed) return isByHand ? [{ points: 0, text: 'Already marked paid by hand: attach' }] : []
  return [{ points: -12, text: `The order is already ${orderStatusLabels[closed.status].toLowerCase()}` }]
}

/** It weighs little, since the same person may only have pressed the wrong key. But nothing applies it again by itself. */
function scoreUndone({ undonePayments }: LineFacts, orders: readonly MatchOrder[]): Reason[] {
  const undone = orders.flatMap(({ id }) => undonePayments.get(id) ?? [])
  return undone
    .slice(0, 1)
    .map(({ by, reason }) => ({ points: -10, text: `Applied before, and undone by ${by}: ${reason}` }))
}

export const isPastExpiry = (orders: readonly MatchOrder[], day: string | null): boolean =>
  day !== null && orders.some(({ expiresAt }) => day > toDay(expiresAt))

export const isEarly = (orders: readonly MatchOrder[], day: string | null): boolean =>
  day !== null && orders.some(({ createdAt }) => day < toDay(createdAt))

/** What a credit means for orders that wait for `wanted` together. */
function findOutcome({ line, amount, day }: LineFacts, orders: readonly MatchOrder[], wanted: bigint): MatchOutcome {
  if (orders.some(({ currency }) => currency !== line.currency)) return 'wrong_currency'
  if (orders.some(({ status }) => status === 'cancelled')) return 'cancelled_order'
  if (!orders.every(canTakeMoney)) return 'duplicate'
  const waiting = orders.filter(({ isPaidByHand, isOwed }) => !isPaidByHand && !isOwed)
  if (waiting.some(({ status }) => status === 'expired') || isPastExpiry(waiting, day)) return 'late'
  if (amount < wanted) return 'partial'
  return amount > wanted ? 'overpaid' : 'exact'
}

function findFlags({ account, lookup }: LineFacts, orders: readonly MatchOrder[], payer: PayerLikeness) {
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
