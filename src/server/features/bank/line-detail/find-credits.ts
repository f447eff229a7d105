import type { Candidate } from '#contract/schemas/reconciliation.ts'
import type { Ctx } from '#server/core/context.ts'
import { type ListFilter, readList } from '#server/db/list.ts'
import { buildLineList } from '#server/features/bank/statements/lines.ts'
import { scoreFoundCredit } from '#server/features/bank/matching/debits.ts'
import { showFound } from '#server/features/bank/matching/rank-candidates.ts'
import { foldNumber } from '#server/features/bank/matching/reference-keys.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import { due, returned } from '#server/features/bank/scoring/credit-statements.ts'
import { findTransfers } from './find-transfers.ts'
import { readStoredLine } from './line-detail.ts'
import { readCreditsById } from '#server/features/bank/scoring/load-lookup.ts'
import { loadScoringContext, toOpenLine, toOptions } from '#server/features/bank/scoring/build-proposal.ts'
import { showCandidates } from './show-candidate.ts'

/** The most payments that are found. */
const mostFound = 20

/**
 * Booked credits in the currency of the debit, up to its day, of which not all was taken or paid back. Those of another account are
 * found where something of them is due.
 */
function listFilters({ accountId, line: { currency, bookedOn } }: StoredLine, isSearched: boolean): ListFilter[] {
  const dueLines = `t.id IN (SELECT d.line_id FROM (${due}) d WHERE d.amount > 0)`
  return [
    { rows: `t.booking = 'booked' AND t.amount > ${returned('t')}`, leaves: null },
    { rows: 't.currency = $value', leaves: null, value: currency },
    ...(bookedOn === null ? [] : [{ rows: 't.booked_on <= $value::date', leaves: null, value: bookedOn }]),
    isSearched
      ? { rows: `(t.account_id = $value::bigint OR ${dueLines})`, leaves: null, value: accountId }
      : { rows: dueLines, leaves: null },
  ]
}

/** Finds lines by the beginning of the number of an order that they paid. */
function listOrderKeys(search: string): string[] {
  if (!parseSearchText(search).isCode) return []
  const number = foldNumber(search)
  const code = 'plain_code(o.order_number) COLLATE "C"'
  // `[` is the character after `Z`.
  return [
    `t.id IN (SELECT p.line_id FROM bank_parts p JOIN orders o ON o.id = p.order_id
      WHERE ${code} >= '${number}' AND ${code} < '${number}[')`,
  ]
}

/**
 * Earlier payments that a debit may pay back or take back, by payer, account, amount, reference or the number of an order that
 * they paid. Without a search those of which something is due. For a credit the transfers that it may return. What fits best comes
 * first. Throws not_found.
 */
export async function findCredits(
  ctx: Ctx,
  id: string,
  search: string | undefined,
): Promise<{ candidates: Candidate[] }> {
  const { db } = ctx.database
  const stored = await readStoredLine(db, id)
  if (stored.line.direction === 'credit') return { candidates: await findTransfers(ctx, stored, search) }
  const { list, filters, ...request } = buildLineList({ search, direction: 'credit' })
  const keys = [...(list.keys ?? []), ...(search ? listOrderKeys(search) : [])]
  const asked = { ...request, list: { ...list, keys }, filters: [...filters, ...listFilters(stored, Boolean(search))] }
  const { rows } = await readList<{ id: string }>(ctx.reads, asked, { page: 1, limit: mostFound })
  const credits = await readCreditsById(
    db,
    rows.map((row) => row.id),
  )
  const scoring = await loadScoringContext(db, [stored])
  const options = toOptions(stored, scoring)
  const found = credits.flatMap((credit) => scoreFoundCredit(toOpenLine(stored), credit, scoring.lookup, options))
  return { candidates: await showCandidates(db, stored, showFound(found), scoring) }
}
