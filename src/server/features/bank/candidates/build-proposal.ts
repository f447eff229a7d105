import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { notFound, AppError } from '#server/lib/errors.ts'
import { findObstacle } from '#server/features/bank/matching/auto-apply.ts'
import { type OrderCandidate, listOrders, showReason } from '#server/features/bank/matching/candidate.ts'
import type { IndexedLookup } from '#server/features/bank/matching/indexed-lookup.ts'
import {
  scoreChosenOrder,
  type Proposal,
  rankCandidates,
  type ShownCandidate,
} from '#server/features/bank/matching/rank-candidates.ts'
import {
  type LineFacts,
  type MatchOptions,
  collectLineFacts,
  type UndonePayment,
} from '#server/features/bank/matching/line-facts.ts'
import type { MatchAllocation } from '#server/features/bank/matching/lookup.ts'
import { type PolicyRow, readPolicyRow } from '#server/features/bank/shared/policy.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { selectOrderAllocations, selectUndonePayments } from './lookup-statements.ts'
import { loadLookup, readTransfers } from './load-lookup.ts'
import type { PolicyVerdict } from '#contract/bank-allocations.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { scoreOrders } from '#server/features/bank/matching/score-orders.ts'
import { sameName } from '#server/features/bank/matching/names.ts'

/** A line with what is proposed for what is left of its money. */
export interface LineProposal extends Proposal {
  stored: StoredLine
  /** Why the policy does not allow it to be applied with others, as if it were on. Null where it allows it. */
  obstacle: string | null
}

/** What all lines of a batch are scored by. */
export interface ScoringContext {
  policy: PolicyRow
  lookup: IndexedLookup
  /** What the lines have paid before: amounts by order id, by line id. */
  paidOrders: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** What of that was undone: by order id, by line id. */
  undonePayments: ReadonlyMap<string, ReadonlyMap<string, UndonePayment>>
  /** By the database's clock. */
  now: string
}

/** The line as if it had only the money that has no purpose yet. */
export const toOpenLine = (stored: StoredLine): StatementLine => ({
  ...stored.line,
  amount: fromUnits(getLeft(stored)),
})

/** Whether a line is work: booked, and not all of its money has a purpose. */
export const isWork = ({ state }: StoredLine): boolean => state === 'open' || state === 'part'

export const toOptions = (
  { account, accountId, id }: StoredLine,
  { policy, paidOrders, undonePayments }: ScoringContext,
): MatchOptions => ({
  account,
  accountId,
  feeTolerance: policy.feeTolerance,
  paidOrders: new Set(paidOrders.get(id)?.keys()),
  undonePayments: undonePayments.get(id) ?? new Map(),
})

async function readPaidOrders(db: Db | Tx, lines: readonly StoredLine[]): Promise<Map<string, Map<string, string>>> {
  const ids = lines.filter(({ allocated }) => toUnits(allocated) > 0n).map(({ id }) => id)
  const found = new Map<string, Map<string, string>>()
  if (ids.length === 0) return found
  const { rows } = await executePrepared<MatchAllocation & { lineId: string }>(db, selectOrderAllocations(ids))
  for (const { lineId, orderId, amount } of rows)
    found.set(lineId, (found.get(lineId) ?? new Map<string, string>()).set(orderId, amount))
  return found
}

async function readUndonePayments(
  db: Db | Tx,
  lines: readonly StoredLine[],
): Promise<ScoringContext['undonePayments']> {
  if (lines.length === 0) return new Map()
  const { rows } = await executePrepared<UndonePayment & { lineId: string; orderId: string }>(
    db,
    selectUndonePayments(lines.map(({ id }) => id)),
  )
  const found = Map.groupBy(rows, ({ lineId }) => lineId)
  return new Map([...found].map(([lineId, undone]) => [lineId, new Map(undone.map((each) => [each.orderId, each]))]))
}

async function readNow(db: Db | Tx): Promise<string> {
  const { rows } = await executePrepared<{ now: string }>(db, sql`SELECT clock_timestamp() AS now`)
  return toInstant(rows[0]!.now)
}

/** Fetches what these lines are scored by. `orderIds` are orders to score that the lines may not name. */
export async function loadScoringContext(
  db: Db | Tx,
  lines: readonly StoredLine[],
  orderIds: readonly string[] = [],
): Promise<ScoringContext> {
  const policy = await readPolicyRow(db)
  const transfers = await readTransfers(db, lines, policy.feeTolerance)
  return {
    policy,
    lookup: await loadLookup(db, lines.map(toOpenLine), orderIds, transfers),
    paidOrders: await readPaidOrders(db, lines),
    undonePayments: await readUndonePayments(db, lines),
    now: await readNow(db),
  }
}

/** The facts of what is left of a line, to be scored with orders that a person chose. */
const collectOpenLineFacts = (stored: StoredLine, scoring: ScoringContext): LineFacts =>
  collectLineFacts(toOpenLine(stored), scoring.lookup, toOptions(stored, scoring))

/** The proposal for one of the lines that the context was loaded for. */
export function buildProposal(stored: StoredLine, scoring: ScoringContext): LineProposal {
  const { policy, lookup, now } = scoring
  const line = toOpenLine(stored)
  const proposal = rankCandidates(line, lookup, toOptions(stored, scoring))
  return {
    ...proposal,
    stored,
    obstacle: findStoredObstacle(stored, findObstacle({ ...policy, autoApply: true }, line, proposal, now)),
  }
}

function findStoredObstacle({ state }: StoredLine, obstacle: string | null): string | null {
  if (state === 'part') return 'Part of its money has a purpose'
  return state === 'settled' ? 'All of its money has a purpose' : obstacle
}

/** A fresh proposal for one line, from the database as it is now. */
export async function loadProposal(db: Db | Tx, stored: StoredLine): Promise<LineProposal> {
  return buildProposal(stored, await loadScoringContext(db, [stored]))
}

/** Scores one line paying one order that a person chose. Throws not_found. */
export async function loadOrderCandidate(
  db: Db | Tx,
  stored: StoredLine,
  orderId: string,
): Promise<{ candidate: ShownCandidate<OrderCandidate>; scoring: ScoringContext }> {
  const scoring = await loadScoringContext(db, [stored], [orderId])
  const order = scoring.lookup.findOrder(orderId)
  if (!order) throw notFound('Order')
  return { candidate: scoreChosenOrder(toOpenLine(stored), order, scoring.lookup, toOptions(stored, scoring)), scoring }
}

/** What speaks for and against a credit paying the orders of one member. */
export interface PaymentEvaluation {
  orderIds: string[]
  evidence: BankAllocation['evidence']
  isThirdParty: boolean
  /** The refusal where another person paid, or may have, and no reason is given; null where none is needed. */
  payerDiffers: AppError | null
}

/** Weighs up a credit and the orders that it is to pay, for each member by itself. */
export function evaluatePayment(
  stored: StoredLine,
  orderIds: readonly string[],
  scoring: ScoringContext,
): PaymentEvaluation[] {
  const { lookup } = scoring
  const orders = orderIds.flatMap((id) => lookup.findOrder(id) ?? [])
  const facts = collectOpenLineFacts(stored, scoring)
  return [...new Set(orders.map(({ memberId }) => memberId))].map((memberId): PaymentEvaluation => {
    const meant = orders.filter((order) => order.memberId === memberId)
    const member = lookup.findMember(memberId)!
    const candidate = scoreOrders(facts, meant, member)
    const isThirdParty = candidate.flags.includes('third_party') || candidate.isClaimed
    const name = [member.firstName, member.lastName].filter(Boolean).join(' ') || member.id
    return {
      orderIds: meant.map(({ id }) => id),
      evidence: describeCandidate(candidate),
      isThirdParty,
      payerDiffers: findPayerError(candidate, stored, name),
    }
  })
}

/**
 * Whether the policy, if it were on, would have applied an open credit to the orders that an operator chose. Null where the line
 * had other allocations before, so that the policy leaves it to operators.
 */
export function comparePolicy(
  stored: StoredLine,
  orderIds: readonly string[],
  scoring: ScoringContext,
): PolicyVerdict | null {
  if (stored.state !== 'open') return null
  const { obstacle, candidates } = buildProposal(stored, scoring)
  if (obstacle !== null) return 'nothing'
  const proposed = listOrders(candidates[0]!).map(({ id }) => id)
  return proposed.toSorted().join() === orderIds.toSorted().join() ? 'same' : 'other'
}

/** What is stored of a candidate with the allocations that are decided by it. */
const describeCandidate = ({ points, outcome, flags, reasons }: OrderCandidate): BankAllocation['evidence'] => ({
  score: Math.max(0, Math.min(points, 100)),
  outcome,
  flags,
  reasons: reasons.map(showReason),
})

const buildPayerError = (differs: string) =>
  new AppError('payer_differs', `${differs}: give a reason to take this payment`)

/**
 * The refusal without a reason of money that another person than the member paid, or whose payer has a name in another script: an
 * operator who knows better says how. Null where none is needed.
 */
export function findPayerError(
  { payer, flags, isClaimed }: OrderCandidate,
  { line }: StoredLine,
  member: string,
): AppError | null {
  const { name, iban } = line.counterparty
  if (flags.includes('payer_unsure') && payer.finding === 'script')
    return buildPayerError(`${name} and ${member} are names in different scripts`)
  if (!flags.includes('third_party'))
    return isClaimed ? buildPayerError(`Only the payer's text says that ${member} paid`) : null
  return payer.isOthersAccount && payer.score >= sameName
    ? buildPayerError(`The account of this payment belongs to another member than ${member}`)
    : buildPayerError(`${name ?? iban} is not ${member}`)
}
