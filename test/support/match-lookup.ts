import type { AutoPolicy } from '#server/features/bank/matching/auto-apply.ts'
import { mayApply } from '#server/features/bank/matching/auto-apply.ts'
import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { rankCandidates } from '#server/features/bank/matching/rank-candidates.ts'
import type { LookupContent } from '#server/features/bank/matching/indexed-lookup.ts'
import { MemoryLookup } from './memory-lookup.ts'
import type { MatchOptions } from '#server/features/bank/matching/line-facts.ts'
import type { MatchOrder } from '#server/features/bank/matching/lookup.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'

const members = [
  { id: 'ana', firstName: 'Ana', lastName: 'Lima' },
  { id: 'rui', firstName: 'Rui', lastName: 'Lima' },
]

/** Applies what is exact and names its order. */
export const strictPolicy: AutoPolicy = {
  autoApply: true,
  autoCombined: false,
  autoRemainder: false,
  payerName: 'same',
  maxAutoAmount: null,
}

/** An order of Ana Lima over 100.00 EUR that waits from November 1 to 20, 2026. */
export const makeMatchOrder = (orderNumber: string, more: Partial<MatchOrder> = {}): MatchOrder => ({
  id: orderNumber,
  orderNumber,
  memberId: 'ana',
  projectName: 'Solar Park',
  investmentAmount: '100.00',
  received: '0.00',
  currency: 'EUR',
  status: 'waiting_payment',
  createdAt: '2026-11-01T09:00:00.000Z',
  expiresAt: '2026-11-20T23:00:00.000Z',
  paymentReference: null,
  iban: null,
  ...more,
})

/** A lookup of Ana and Rui Lima with these orders. */
export const makeMatchLookup = (orders: MatchOrder[], more: Partial<LookupContent> = {}) =>
  new MemoryLookup({ members, orders, ...more })

/** Proposes for a line, and says whether the policy applies the first candidate on November 10, 2026. */
export function match(
  lookup: MemoryLookup,
  line: StatementLine,
  { policy, ...options }: MatchOptions & { policy?: Partial<AutoPolicy> } = {},
) {
  const proposal = rankCandidates(line, lookup, options)
  const [first] = proposal.candidates
  return {
    ...proposal,
    first,
    orders: first ? listOrders(first) : [],
    numbers: first ? listOrders(first).map(({ orderNumber }) => orderNumber) : [],
    flags: first?.kind === 'order' ? first.flags : [],
    allocations: first && first.kind !== 'return' ? first.allocations : [],
    credits: first && 'credits' in first ? first.credits : [],
    isAuto: mayApply({ ...strictPolicy, ...policy }, line, proposal, '2026-11-10T08:00:00.000Z'),
  }
}
