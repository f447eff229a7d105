import { readBankLineNotes } from '#server/features/notes/service.ts'
import { sql } from 'drizzle-orm'
import type { Candidate, FoundReference } from '#contract/schemas/bank-candidates.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { readClaim } from '#server/core/claims.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db } from '#server/db/client.ts'
import { formatDay, notFound } from '#server/lib/errors.ts'
import { lineClaims, requireLineId } from '#server/features/bank/allocations/line-rules.ts'
import { readAllocations } from '#server/features/bank/allocations/read-allocations.ts'
import {
  buildProposal,
  isWork,
  type LineProposal,
  loadOrderCandidate,
  loadScoringContext,
} from '#server/features/bank/candidates/build-proposal.ts'
import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { readLine } from '#server/features/bank/statements/lines.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { showCandidates } from './show-candidate.ts'

/** Throws not_found. */
export async function readStoredLine(db: Db, id: string): Promise<StoredLine> {
  const [stored] = await readStoredLines(db, sql`WHERE l.id = ${requireLineId(id)}`)
  if (!stored) throw notFound('Bank line')
  return stored
}

/** What names orders in the texts. Digits alone are shown only where the order is a candidate. */
function listFound({ named, candidates }: LineProposal): FoundReference[] {
  const isCandidate = (id: string) => candidates.some((each) => listOrders(each).some((order) => order.id === id))
  return named
    .filter(({ kind, order }) => kind !== 'digits' || isCandidate(order.id))
    .map(({ text, kind, order: { orderNumber } }) => ({ text, kind, orderNumber }))
}

/** A line with what is proposed for it now. Throws not_found. */
export async function readLineDetail(ctx: Ctx, id: string): Promise<BankLineDetail> {
  const { db } = ctx.database
  const stored = await readStoredLine(db, id)
  const scoring = await loadScoringContext(db, isWork(stored) ? [stored] : [])
  const proposal = isWork(stored) ? buildProposal(stored, scoring) : null
  const claim = await readClaim(db, lineClaims, stored.id)
  return {
    line: await readLine(db, stored.id),
    claim: claim
      ? { by: claim.by, until: claim.until, isMine: ctx.actor.kind === 'admin' && claim.adminId === ctx.actor.id }
      : null,
    candidates: proposal
      ? await addEqualPayments(db, stored, await showCandidates(db, stored, proposal.candidates, scoring))
      : [],
    equallyGood: proposal?.equallyGood ?? 0,
    obstacle: proposal ? proposal.obstacle : 'The line is not work',
    found: proposal ? listFound(proposal) : [],
    allocations: await readAllocations(db, stored.id),
    notes: await readBankLineNotes(ctx, stored.id),
  }
}

/** What speaks for and against a line paying an order that an operator searched for. Throws not_found. */
export async function evaluateOrder(ctx: Ctx, id: string, orderId: string): Promise<{ candidate: Candidate }> {
  const { db } = ctx.database
  const stored = await readStoredLine(db, id)
  const { candidate, scoring } = await loadOrderCandidate(db, stored, orderId)
  const [shown] = await addEqualPayments(db, stored, await showCandidates(db, stored, [candidate], scoring))
  return { candidate: shown! }
}

interface EqualPayment {
  orderNumbers: string[]
  bookedOn: string | null
  payer: string | null
}

/** Other open payments of the same amount that are proposed for one of these orders, the oldest first. */
async function readEqualPayments(db: Db, { id, line }: StoredLine, orderNumbers: string[]): Promise<EqualPayment[]> {
  const { rows } = await db.execute<EqualPayment & Record<string, unknown>>(sql`
    SELECT proposed_orders AS "orderNumbers", booked_on::text AS "bookedOn", coalesce(payer_name, payer_account) AS payer
    FROM bank_lines WHERE amount = ${line.amount}::numeric AND currency = ${line.currency} AND direction = 'credit'
      AND state IN ('open', 'part') AND id <> ${id} AND proposed_orders && ${textArray(orderNumbers)}
    ORDER BY listed_at, id LIMIT 20`)
  return rows
}

const describeOne = ({ bookedOn, payer }: EqualPayment) =>
  `by ${payer ?? 'an unnamed payer'}${bookedOn === null ? '' : ` of ${formatDay(bookedOn)}`}`

function describeEqual([first, ...more]: EqualPayment[]): string | null {
  if (!first) return null
  const others = more.length === 0 ? '' : more.length === 1 ? ', and one more' : `, and ${more.length} more`
  return `Another open payment of this amount is proposed for it too, ${describeOne(first)}${others}`
}

/** The numbers of the orders that can be paid. */
const listPayable = (candidate: Candidate): string[] =>
  candidate.kind === 'order' && candidate.allocations.length > 0
    ? candidate.orders.map(({ orderNumber }) => orderNumber)
    : []

/**
 * Says of each order that can still be paid which other open payment may be for it: of two equal payments an operator sees both before
 * one is applied.
 */
async function addEqualPayments(db: Db, stored: StoredLine, candidates: Candidate[]): Promise<Candidate[]> {
  if (stored.line.direction !== 'credit') return candidates
  const numbers = candidates.flatMap(listPayable)
  if (numbers.length === 0) return candidates
  const equal = await readEqualPayments(db, stored, numbers)
  return candidates.map((candidate) => {
    const payable = listPayable(candidate)
    const isFor = ({ orderNumbers }: EqualPayment) => payable.some((number) => orderNumbers.includes(number))
    const text = describeEqual(equal.filter(isFor))
    return text === null
      ? candidate
      : { ...candidate, reasons: [...candidate.reasons, { text, speaks: 'against' as const }] }
  })
}
