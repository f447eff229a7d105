import { sql } from 'drizzle-orm'
import type { BankLineDetail, Candidate } from '#contract/schemas/reconciliation.ts'
import type { FoundReference } from '#contract/schemas/found-reference.ts'
import { readClaim } from '#server/core/claims.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { readLine } from '#server/features/bank/statements/lines.ts'
import { readParts } from '#server/features/bank/allocations/read-parts.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { requireLineId, lineClaims } from '#server/features/bank/allocations/claims.ts'
import { addEqualPayments } from './equal-payments.ts'
import {
  isWork,
  loadOrderCandidate,
  type LineProposal,
  loadScoringContext,
  buildProposal,
} from '#server/features/bank/scoring/build-proposal.ts'
import { showCandidates } from './show-candidate.ts'

/** Throws not_found. */
export async function readStoredLine(db: Db, id: string): Promise<StoredLine> {
  const [stored] = await readStoredLines(db, sql`WHERE l.id = ${requireLineId(id)}`)
  if (!stored) throw notFound('Bank line')
  return stored
}

/** What names orders in the texts. Digits alone are shown only where the order is a candidate. */
function listFound({ named, candidates }: LineProposal): FoundReference[] {
  const isCandidate = (id: string) => candidates.some(({ orders }) => orders.some((order) => order.id === id))
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
    obstacle: proposal ? proposal.obstacle : 'The line is no work',
    found: proposal ? listFound(proposal) : [],
    parts: await readParts(db, stored.id),
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
