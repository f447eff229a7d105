import type { MatchFlag, MatchOutcome } from '#contract/bank-allocations.ts'
import type { MatchReason } from '#contract/schemas/bank-candidates.ts'
import type { EarlierCredit, EarlierTransfer, MatchAllocation, MatchOrder } from './lookup.ts'
import type { PayerLikeness } from './line-facts.ts'
import type { Evidence } from './references.ts'

/** A reason for or against a candidate, in words for the operator. */
export interface Reason {
  points: number
  text: string
  /** It proves nothing: it may be so by chance, or only the payer says so. */
  isDoubtful?: boolean
}

/** A reason as it is shown. One without points says what else there is to know, which a person looks at. */
export const showReason = ({ text, points, isDoubtful = false }: Reason): MatchReason => ({
  text,
  speaks: points < 0 ? 'against' : points === 0 || isDoubtful ? 'check' : 'for',
})

interface Scored {
  /** Decides the order of the candidates. It has no bounds. */
  points: number
  reasons: Reason[]
}

export const addPoints = (reasons: Reason[]): Scored => ({
  points: reasons.reduce((sum, { points }) => sum + points, 0),
  reasons,
})

/** The reasons that are true of a candidate. */
export const listTrue = (facts: readonly [boolean, Reason][]): Reason[] =>
  facts.flatMap(([isTrue, reason]) => (isTrue ? [reason] : []))

/** The orders of one member that a credit may pay. */
export interface OrderCandidate extends Scored {
  kind: 'order'
  orders: readonly MatchOrder[]
  /** How the money would be divided. */
  allocations: readonly MatchAllocation[]
  outcome: MatchOutcome
  flags: MatchFlag[]
  /** What names each of the orders. Null where nothing does. */
  evidence: (Evidence | null)[]
  payer: PayerLikeness
  /** Whether only what the payer wrote says that the member paid, and nothing that the bank did. */
  isClaimed: boolean
  /** Whether the member is banned. */
  isBanned: boolean
  /** Whether the line paid one of the orders before, and a person undid that. */
  isUndone: boolean
}

/** The credits that a debit may pay back, or the one that it may take back. */
export interface CreditCandidate extends Scored {
  kind: 'refund' | 'reversal'
  credits: readonly EarlierCredit[]
  /** What the credits have paid. */
  orders: readonly MatchOrder[]
  allocations: readonly MatchAllocation[]
}

/** The transfer that a credit may return. */
export interface ReturnCandidate extends Scored {
  kind: 'return'
  transfer: EarlierTransfer
}

/** What may become of a line's money. */
export type Candidate = OrderCandidate | CreditCandidate | ReturnCandidate

export const getOutcome = (candidate: Candidate): MatchOutcome =>
  candidate.kind === 'order' ? candidate.outcome : candidate.kind

/** The orders that a candidate pays, or that its credits have paid. */
export const listOrders = (candidate: Candidate): readonly MatchOrder[] =>
  candidate.kind === 'return' ? [] : candidate.orders
