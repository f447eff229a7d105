import { eq, inArray } from 'drizzle-orm'
import type { Candidate, CandidateOrder, RefundDue } from '#contract/schemas/bank-candidates.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/members.ts'
import {
  type CreditCandidate,
  listOrders,
  type OrderCandidate,
  showReason,
} from '#server/features/bank/matching/candidate.ts'
import { findReturnedAllocations } from '#server/features/bank/matching/returns.ts'
import type { ShownCandidate } from '#server/features/bank/matching/rank-candidates.ts'
import type { EarlierTransfer } from '#server/features/bank/matching/lookup.ts'
import { isOpen } from '#server/features/bank/matching/sums.ts'
import { planCredit } from '#server/features/bank/allocations/credit-plan.ts'
import {
  buildAccountError,
  buildKeptError,
  buildPayeeError,
  buildReturnerError,
  getHolder,
} from '#server/features/bank/refunds/refund-account.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { readRefundsDue } from '#server/features/bank/shared/refunds-due.ts'
import { isOwed, type OrderRow } from '#server/features/orders/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { compactIban } from '#contract/iban.ts'
import { findPayerError, type ScoringContext } from '#server/features/bank/candidates/build-proposal.ts'

/** More accounts of a member are not compared by eye. */
const mostUsualAccounts = 3

interface OrderWithMember {
  order: OrderRow
  member: { id: string; firstName: string | null; lastName: string | null; email: string; banned: boolean }
}

async function readOrders(db: Db | Tx, ids: readonly string[]): Promise<Map<string, OrderWithMember>> {
  if (ids.length === 0) return new Map()
  const member = {
    id: members.id,
    firstName: members.legalFirstName,
    lastName: members.legalLastName,
    email: members.email,
    banned: members.banned,
  }
  const rows = await db
    .select({ order: orders, member })
    .from(orders)
    .innerJoin(members, eq(members.id, orders.memberId))
    .where(inArray(orders.id, [...ids]))
  return new Map(rows.map((row) => [row.order.id, row]))
}

function toCandidateOrder({ order, member }: OrderWithMember): CandidateOrder {
  const outstanding = isOpen(order) || isOwed(order) ? toUnits(order.investmentAmount) - toUnits(order.received) : 0n
  return {
    id: order.id,
    orderNumber: order.orderNumber,
    userId: member.id,
    userFirstName: member.firstName,
    userLastName: member.lastName,
    userEmail: member.email,
    userBanned: member.banned,
    projectName: order.projectName,
    investmentAmount: order.investmentAmount,
    received: order.received,
    outstanding: fromUnits(outstanding),
    currency: order.currency,
    status: order.status,
    paidVia: order.paidVia,
    iban: compactIban(order.iban) || null,
    createdAt: order.createdAt,
    expiresAt: order.expiresAt,
  }
}

/** Why the orders cannot be paid, by the rules of the call that pays them. Null where they can. */
function findRefusal(
  stored: StoredLine,
  candidate: OrderCandidate,
  found: readonly OrderWithMember[],
  { policy, now, paidOrders }: ScoringContext,
): string | null {
  const left = fromUnits(getLeft(stored))
  const whole = found.map(({ order }) => ({ orderId: order.id, amount: left }))
  const allocations = candidate.allocations.length > 0 ? candidate.allocations : whole
  const facts = {
    stored,
    orders: new Map(found.map(({ order }) => [order.id, order])),
    paidBefore: paidOrders.get(stored.id) ?? new Map<string, string>(),
    policy,
    now,
  }
  try {
    planCredit(
      facts,
      allocations.map(({ orderId, amount }) => ({ purpose: 'order', orderId, amount })),
    )
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The refusal without a reason where another than the member paid, or may have (product 7.11). Null where none is needed. */
function findPayerProblem(
  stored: StoredLine,
  candidate: OrderCandidate,
  { member }: OrderWithMember,
  { policy }: ScoringContext,
) {
  if (!policy.reasonForThirdParty) return null
  const name = [member.firstName, member.lastName].filter(Boolean).join(' ') || member.id
  return findPayerError(candidate, stored, name)?.message ?? null
}

/** The accounts to compare the payer's with, where the member has always paid from others. */
const listUsualAccounts = (
  { payer }: OrderCandidate,
  { member }: OrderWithMember,
  { lookup }: ScoringContext,
): string[] => (payer.isNewAccount ? lookup.findAccounts(member.id).toSorted().slice(0, mostUsualAccounts) : [])

function showOrderPayment(
  stored: StoredLine,
  candidate: OrderCandidate,
  found: readonly OrderWithMember[],
  scoring: ScoringContext,
) {
  const [first] = found
  return {
    kind: candidate.kind,
    outcome: candidate.outcome,
    flags: candidate.flags,
    refusal: findRefusal(stored, candidate, found, scoring),
    needsReason: first ? findPayerProblem(stored, candidate, first, scoring) : null,
    usualAccounts: first ? listUsualAccounts(candidate, first, scoring) : [],
  }
}

/** The refusal without a reason where the money goes to another than who paid. Null where none is needed. */
function findPayeeProblem(stored: StoredLine, { kind, credits }: CreditCandidate, { policy }: ScoringContext) {
  if (!policy.reasonForThirdParty) return null
  const problems = credits.map(({ payerAccount: account, payerName: name }) =>
    kind === 'reversal'
      ? buildPayeeError(stored, { account, name })
      : buildAccountError(getHolder(stored), { account, name }),
  )
  return problems.find((each) => each !== null)?.message ?? null
}

/** What returns of the transfer by what is left of the line, and what is due then. */
const findReturned = (stored: StoredLine, transfer: EarlierTransfer) =>
  findReturnedAllocations(stored.line, transfer, leastAmount(fromUnits(getLeft(stored)), transfer.returnable))

const leastAmount = (one: string, other: string) => (toUnits(one) < toUnits(other) ? one : other)

/** The refusal without a reason of a return. Null where it needs none. */
function findReturnProblem(
  stored: StoredLine,
  transfer: EarlierTransfer,
  kept: bigint,
  { policy }: ScoringContext,
): string | null {
  const { payeeAccount: account, payeeName: name } = transfer
  const error =
    (policy.reasonForThirdParty ? buildReturnerError(stored, transfer, { account, name }) : null) ??
    buildKeptError(stored, kept, policy.feeTolerance)
  return error?.message ?? null
}

function showReturn(stored: StoredLine, transfer: EarlierTransfer, scoring: ScoringContext) {
  const { allocations, kept } = findReturned(stored, transfer)
  const dueAgain = allocations.filter(({ purpose }) => purpose === 'refund')
  return {
    transfer: {
      ...transfer,
      kept: fromUnits(kept),
      dueAgain: dueAgain.map(({ amount, orders: meantFor }) => ({ amount, orders: [...meantFor] })),
    },
    needsReason: findReturnProblem(stored, transfer, kept, scoring),
  }
}

function showOne(
  stored: StoredLine,
  candidate: ShownCandidate,
  rows: ReadonlyMap<string, OrderWithMember>,
  refunds: ReadonlyMap<string, readonly RefundDue[]>,
  scoring: ScoringContext,
): Candidate {
  const { kind, score, isLikely } = candidate
  const scored = { score, isLikely, reasons: candidate.reasons.map(showReason) }
  if (kind === 'return') return { kind, ...scored, ...showReturn(stored, candidate.transfer, scoring) }
  const found = candidate.orders.flatMap(({ id }) => rows.get(id) ?? [])
  const allocations = [...candidate.allocations]
  const shown = { ...scored, orders: found.map(toCandidateOrder), allocations }
  if (kind === 'order') return { ...shown, ...showOrderPayment(stored, candidate, found, scoring) }
  return {
    kind,
    ...shown,
    credits: candidate.credits.map((credit) => ({ ...credit, refundsDue: [...(refunds.get(credit.lineId) ?? [])] })),
    needsReason: findPayeeProblem(stored, candidate, scoring),
  }
}

/** Candidates as operators see them, with the facts of their orders as they are now. */
export async function showCandidates(
  db: Db | Tx,
  stored: StoredLine,
  candidates: readonly ShownCandidate[],
  scoring: ScoringContext,
): Promise<Candidate[]> {
  const ids = candidates.flatMap((each) => listOrders(each).map(({ id }) => id))
  const rows = await readOrders(db, ids)
  const credits = candidates.flatMap((each) => ('credits' in each ? each.credits : []))
  const refunds = await readRefundsDue(
    db,
    credits.map(({ lineId }) => lineId),
  )
  return candidates.map((candidate) => showOne(stored, candidate, rows, refunds, scoring))
}
