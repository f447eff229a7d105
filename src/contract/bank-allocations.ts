import type { Routes } from './route.ts'
import type { allocationSchemas } from './schemas/bank-allocations.ts'

/** The outcome of a line if its best candidate is applied, or its state without one (product 7.12). */
export const matchOutcomes = [
  'exact',
  'partial',
  'overpaid',
  'late',
  'duplicate',
  'cancelled_order',
  'wrong_currency',
  'unmatched',
  'reversal',
  'refund',
  'outgoing',
  'return',
  'pending',
] as const
export type MatchOutcome = (typeof matchOutcomes)[number]
export const matchOutcomeLabels: Record<MatchOutcome, string> = {
  exact: 'Exact',
  partial: 'Partial',
  overpaid: 'Overpaid',
  late: 'Booked late',
  duplicate: 'Duplicate',
  cancelled_order: 'Cancelled order',
  wrong_currency: 'Wrong currency',
  unmatched: 'Unmatched',
  reversal: 'Reversal',
  refund: 'Refund',
  outgoing: 'Outgoing',
  return: 'Returned transfer',
  pending: 'Pending',
}

/**
 * Why a candidate needs a person's decision. `third_party`: another than the member paid. `payer_unsure`: nothing tells
 * whether the member paid. `other_account`: the order names another of our accounts.
 */
export const matchFlags = ['third_party', 'payer_unsure', 'other_account'] as const
export type MatchFlag = (typeof matchFlags)[number]
export const matchFlagLabels: Record<MatchFlag, string> = {
  third_party: 'Third party',
  payer_unsure: 'Payer unsure',
  other_account: 'Other account',
}

/** How an order is named in the texts of a line, the least sure first. */
export const evidenceKinds = ['digits', 'typo', 'lookAlike', 'number', 'rf'] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

/**
 * What is proposed for a line that is work. `exact`: the policy allows the first candidate to be applied together with
 * others. `check`: a person has to look. `unmatched`: there is no candidate.
 */
export const suggestions = ['exact', 'check', 'unmatched'] as const
export type Suggestion = (typeof suggestions)[number]
export const suggestionLabels: Record<Suggestion, string> = { exact: 'Exact', check: 'Check', unmatched: 'Unmatched' }

/**
 * What an allocation of a line's money is for. `refund`: it is to be paid back, or pays back. `reversal`: the bank took it back. `return`: a
 * transfer of ours that came back.
 */
export const allocationPurposes = ['order', 'refund', 'reversal', 'return', 'ignored'] as const
export type AllocationPurpose = (typeof allocationPurposes)[number]
export const allocationPurposeLabels: Record<AllocationPurpose, string> = {
  order: 'Applied',
  refund: 'Refund',
  reversal: 'Taken back',
  return: 'Returned',
  ignored: 'Put aside',
}

/** Why money is to be paid back. `other` needs a reason. */
export const refundCauses = [
  'overpaid',
  'late',
  'duplicate',
  'third_party',
  'wrong_currency',
  'cancelled_order',
  'other',
] as const
export type RefundCause = (typeof refundCauses)[number]
export const refundCauseLabels: Record<RefundCause, string> = {
  overpaid: 'Overpaid',
  late: 'Booked too late',
  duplicate: 'Paid twice',
  third_party: 'Third party',
  wrong_currency: 'Wrong currency',
  cancelled_order: 'Cancelled order',
  other: 'Other',
}

/** Why money is for no order. `small_difference`: the policy lets the console put it aside. */
export const writeOffCodes = [
  'own_transfer',
  'fee',
  'interest',
  'outgoing',
  'other_business',
  'unknown_returned',
  'small_difference',
] as const
export type WriteOffCode = (typeof writeOffCodes)[number]
export const writeOffCodeLabels: Record<WriteOffCode, string> = {
  own_transfer: 'Between own accounts',
  fee: 'Bank fee',
  interest: 'Interest',
  outgoing: 'Own payment',
  other_business: 'Other business',
  unknown_returned: 'Unknown, sent back',
  small_difference: 'Small difference',
}

/** Whether the policy would have applied the same as the operator, something else, or nothing (product 7.11). */
export const policyVerdicts = ['same', 'other', 'nothing'] as const
export type PolicyVerdict = (typeof policyVerdicts)[number]

/** How long an operator who has a line open keeps others from it. */
export const lineLeaseMinutes = 10

/** The most allocations of a line that one call makes or undoes, and the most lines that are applied together. */
export const mostAllocations = 50
export const mostExactLines = 1000

export const maxAllocationReason = 1000

export const allocationTexts = {
  applied: 'Payment Applied',
  undone: 'Payment Undone',
  policySaved: 'Reconciliation policy saved',
  policyOff: 'The policy lets no lines be applied together',
}

export const allocationRoutes: Routes<typeof allocationSchemas> = {
  line: { method: 'GET', path: '/api/bank/lines/:id', access: 'bank.view', readsMembers: true },
  claim: { method: 'POST', path: '/api/bank/lines/:id/claim', access: 'bank.apply', repeatable: true },
  release: { method: 'DELETE', path: '/api/bank/lines/:id/claim', access: 'bank.apply', repeatable: true },
  score: {
    method: 'POST',
    path: '/api/bank/lines/:id/score',
    access: 'bank.view',
    readsMembers: true,
    repeatable: true,
  },
  credits: { method: 'GET', path: '/api/bank/lines/:id/credits', access: 'bank.view', readsMembers: true },
  apply: {
    method: 'POST',
    path: '/api/bank/lines/:id/allocations',
    access: 'bank.apply',
    versioned: true,
    stepUpKind: 'money',
    approvals: ['apply_payment'],
  },
  applyExact: {
    method: 'POST',
    path: '/api/bank/apply-exact',
    access: 'bank.apply',
    stepUpKind: 'money',
    timeoutSeconds: 300,
  },
  undo: {
    method: 'POST',
    path: '/api/bank/allocations/:id/undo',
    access: 'bank.apply',
    stepUpKind: 'money',
    approvals: ['undo_payment'],
  },
  undoAllocations: {
    method: 'POST',
    path: '/api/bank/lines/:id/undo',
    access: 'bank.apply',
    stepUpKind: 'money',
    approvals: ['undo_payment'],
  },
  policy: { method: 'GET', path: '/api/bank/policy', access: 'bank.view' },
  savePolicy: {
    method: 'PUT',
    path: '/api/bank/policy',
    access: 'bank.policy',
    versioned: true,
    stepUp: true,
    approvals: ['set_bank_policy'],
  },
  orderPayments: {
    method: 'GET',
    path: '/api/orders/:id/payments',
    access: ['orders.view', 'bank.view'],
    readsMembers: true,
  },
  memberPayers: {
    method: 'GET',
    path: '/api/users/:id/payers',
    access: ['members.view', 'bank.view'],
    readsMembers: true,
  },
}
