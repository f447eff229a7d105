import { type AutoPolicy, mayApply } from '#server/features/bank/matching/auto-apply.ts'
import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { type Proposal, rankCandidates } from '#server/features/bank/matching/rank-candidates.ts'
import { MemoryLookup } from '#test/support/memory-lookup.ts'
import type { MatchOutcome } from '#contract/bank-allocations.ts'
import type { MatchOrder, MatchAllocation } from '#server/features/bank/matching/lookup.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { today } from './draw.ts'
import type { Payment, PaymentKind } from './payments.ts'
import type { BenchDataset } from './dataset.ts'

export interface LabelledLine {
  line: StatementLine
  /** The account of the statement. */
  account: string
  file: string
  /** Whether the format of the file has a field for the payer. */
  hasPayer: boolean
  payment: Payment
}

const outcomes: Partial<Record<PaymentKind, MatchOutcome>> = {
  clean: 'exact',
  missing: 'exact',
  garbled: 'exact',
  merged: 'exact',
  thirdParty: 'exact',
  split: 'partial',
  under: 'partial',
  over: 'overpaid',
  wrongCurrency: 'wrong_currency',
  duplicate: 'duplicate',
  late: 'late',
  reversal: 'reversal',
}
/** What may be applied without a person, where the bank says who paid. */
const autoKinds = new Set<PaymentKind>(['clean', 'missing', 'garbled', 'merged'])

export const emptyScore = () => ({
  lines: 0,
  /** Credits for orders. */
  forOrders: 0,
  clean: 0,
  /** The clean ones of banks that say who paid. */
  cleanNamed: 0,
  auto: 0,
  autoRight: 0,
  autoRightClean: 0,
  autoWrong: 0,
  againstPolicy: 0,
  /** Credits for orders that are left to a person. */
  left: 0,
  first: 0,
  firstThree: 0,
  nothing: 0,
  unrelated: 0,
  unrelatedLikely: 0,
  withOutcome: 0,
  rightOutcome: 0,
})
export type Score = ReturnType<typeof emptyScore>

/** A line that was applied wrongly, or whose first candidate is not the truth. */
export interface Fault {
  kind: PaymentKind
  file: string
  isAuto: boolean
  /** The place of the truth among the candidates, from 1. 0 where it is not one of them. */
  place: number
  wanted: string
  got: string[]
  text: string[]
  payer: string | null
  amount: string
}

const hasSameOrders = (orders: readonly MatchOrder[], truth: readonly MatchAllocation[]) =>
  orders.length === truth.length && truth.every(({ orderId }) => orders.some(({ id }) => id === orderId))

/** Proposes for all lines, day by day. What the policy leaves is then applied as a person would who knows the truth. */
export function scoreLines(dataset: BenchDataset, lines: readonly LabelledLine[], policy: AutoPolicy) {
  const memory = new MemoryLookup(dataset)
  const score = emptyScore()
  const faults: Fault[] = []
  const kinds = new Map<PaymentKind, Score>()
  const byDay = lines.toSorted((one, other) => one.payment.bookedOn.localeCompare(other.payment.bookedOn))
  for (const labelled of byDay) {
    const { line, payment, account, file } = labelled
    const proposal = rankCandidates(line, memory, { account })
    const isAuto = mayApply(policy, line, proposal, `${today}T08:00:00.000Z`)
    const ofKind = kinds.get(payment.kind) ?? emptyScore()
    kinds.set(payment.kind, ofKind)
    for (const each of [score, ofKind]) addToScore(each, labelled, proposal, isAuto)
    const fault = findFault(payment, proposal, isAuto)
    if (fault) faults.push({ ...fault, file, text: line.remittance, payer: line.counterparty.name })
    const [best] = proposal.candidates
    const applied = isAuto && best?.kind === 'order' ? best.allocations : payment.truth
    const allocations = !isAuto && payment.kind === 'duplicate' ? [] : applied
    if (payment.direction === 'credit' && payment.truth.length > 0) memory.applyAllocations(line, allocations)
  }
  return { score, kinds, faults }
}

function addToScore(
  score: Score,
  { payment, hasPayer }: LabelledLine,
  { outcome, candidates }: Proposal,
  isAuto: boolean,
) {
  const { kind, truth, direction } = payment
  const isForOrder = truth.length > 0 && direction === 'credit'
  const at = candidates.findIndex((each) => hasSameOrders(listOrders(each), truth))
  const isRight = isAuto && at === 0
  const isLeft = isForOrder && !isAuto
  const isAllowed = autoKinds.has(kind) && hasPayer
  const facts: Record<keyof Score, boolean> = {
    lines: true,
    forOrders: isForOrder,
    clean: kind === 'clean',
    cleanNamed: kind === 'clean' && hasPayer,
    auto: isAuto,
    autoRight: isRight && isAllowed,
    autoRightClean: isRight && kind === 'clean' && hasPayer,
    autoWrong: isAuto && !isRight,
    againstPolicy: isRight && !isAllowed,
    left: isLeft,
    first: isLeft && at === 0,
    firstThree: isLeft && at >= 0 && at < 3,
    nothing: isLeft && candidates.length === 0,
    unrelated: kind === 'unrelated',
    unrelatedLikely: kind === 'unrelated' && candidates.some(({ isLikely }) => isLikely),
    withOutcome: outcomes[kind] !== undefined,
    rightOutcome: outcomes[kind] === outcome,
  }
  for (const [name, isTrue] of Object.entries(facts)) if (isTrue) score[name as keyof Score] += 1
}

function findFault({ kind, truth, direction, amount }: Payment, { candidates }: Proposal, isAuto: boolean) {
  const [best] = candidates
  const isRight = best !== undefined && hasSameOrders(listOrders(best), truth)
  const isWrong = isAuto ? !isRight || !autoKinds.has(kind) : direction === 'credit' && truth.length > 0 && !isRight
  if (!isWrong) return null
  const got = candidates.slice(0, 2).map(
    (each) =>
      `${listOrders(each)
        .map(({ orderNumber }) => orderNumber)
        .join('+')} ${each.points}: ${each.reasons.map(({ text }) => text).join('; ')}`,
  )
  const place = 1 + candidates.findIndex((each) => hasSameOrders(listOrders(each), truth))
  return { kind, amount, isAuto, place, got, wanted: truth.map(({ orderNumber }) => orderNumber).join('+') }
}
