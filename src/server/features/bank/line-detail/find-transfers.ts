import type { Candidate } from '#contract/schemas/reconciliation.ts'
import type { Ctx } from '#server/core/context.ts'
import { type ListFilter, readList } from '#server/db/list.ts'
import { buildLineList } from '#server/features/bank/statements/lines.ts'
import { showFound } from '#server/features/bank/matching/rank-candidates.ts'
import { foldNumber } from '#server/features/bank/matching/reference-keys.ts'
import { scoreFoundTransfer, mostReturnDays } from '#server/features/bank/matching/returns.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import { readTransfersById } from '#server/features/bank/scoring/load-transfers.ts'
import { loadScoringContext, toOpenLine } from '#server/features/bank/scoring/build-proposal.ts'
import { showCandidates } from './show-candidate.ts'

/** The most transfers that are found. */
const mostFound = 20

/** What of a debit took a payment back, or has come back already. */
const gone = `coalesce((SELECT sum(p.amount) FROM bank_parts p
  WHERE p.line_id = t.id AND p.undone_at IS NULL AND p.purpose IN ('reversal', 'return')), 0)`

/** Booked debits of the credit's account up to its day, that have not come back; without a search those of its amount. */
function listFilters(stored: StoredLine, isSearched: boolean): ListFilter[] {
  const { accountId, line } = stored
  const { bookedOn } = line
  const open = fromUnits(getLeft(stored))
  const day = bookedOn ?? line.valueOn
  return [
    { rows: 't.account_id = $value::bigint', leaves: null, value: accountId },
    { rows: `t.booking = 'booked' AND t.amount > ${gone}`, leaves: null },
    { rows: 't.currency = $value', leaves: null, value: line.currency },
    ...(day === null ? [] : [{ rows: 't.booked_on <= $value::date', leaves: null, value: day }]),
    ...(isSearched || day === null
      ? []
      : [{ rows: `t.booked_on >= $value::date - ${mostReturnDays}`, leaves: null, value: day }]),
    ...(isSearched ? [] : [{ rows: 't.amount = $value::numeric', leaves: null, value: open }]),
  ]
}

/** Finds transfers by the beginning of the number of an order whose refund they paid. */
function listOrderKeys(search: string): string[] {
  if (!parseSearchText(search).isCode) return []
  const number = foldNumber(search)
  const code = 'plain_code(o.order_number) COLLATE "C"'
  // `[` is the character after `Z`.
  return [
    `t.id IN (SELECT p.line_id FROM bank_parts p JOIN bank_parts r ON r.line_id = p.other_line_id AND r.purpose = 'refund'
        AND r.undone_at IS NULL JOIN orders o ON o.id = r.order_id
      WHERE p.purpose = 'refund' AND p.direction = 'debit' AND p.undone_at IS NULL
        AND ${code} >= '${number}' AND ${code} < '${number}[')`,
  ]
}

/** Transfers of ours that money which came in may return, what fits best first. */
export async function findTransfers(ctx: Ctx, stored: StoredLine, search: string | undefined): Promise<Candidate[]> {
  const { db } = ctx.database
  const { list, filters, ...request } = buildLineList({ search, direction: 'debit' })
  const keys = [...(list.keys ?? []), ...(search ? listOrderKeys(search) : [])]
  const asked = { ...request, list: { ...list, keys }, filters: [...filters, ...listFilters(stored, Boolean(search))] }
  const { rows } = await readList<{ id: string }>(ctx.reads, asked, { page: 1, limit: mostFound })
  const transfers = await readTransfersById(
    db,
    rows.map(({ id }) => id),
  )
  const scoring = await loadScoringContext(db, [stored])
  const found = transfers.map((transfer) => scoreFoundTransfer(toOpenLine(stored), transfer, scoring.lookup))
  return showCandidates(db, stored, showFound(found), scoring)
}
