import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import type { Ctx } from '#server/core/context.ts'
import { type ListFilter, readList } from '#server/db/list.ts'
import { scoreFoundCredit } from '#server/features/bank/matching/debits.ts'
import { showFound } from '#server/features/bank/matching/rank-candidates.ts'
import { foldNumber } from '#server/features/bank/matching/references.ts'
import { mostReturnDays, scoreFoundTransfer } from '#server/features/bank/matching/returns.ts'
import { loadScoringContext, toOpenLine, toOptions } from '#server/features/bank/candidates/build-proposal.ts'
import { returned } from '#server/features/bank/candidates/lookup-statements.ts'
import { readCreditsById, readTransfersById, sumUnreturnable } from '#server/features/bank/candidates/load-lookup.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'
import { buildLineList } from '#server/features/bank/statements/lines.ts'
import { getLeft, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import { readStoredLine } from './line-detail.ts'
import { showCandidates } from './show-candidate.ts'

/** The most payments that are found. */
const mostFound = 20

/**
 * Booked credits in the currency of the debit, up to its day, of which not all was taken or paid back. Those of another account are
 * found where something of them is due.
 */
function filterCredits({ accountId, line: { currency, bookedOn } }: StoredLine, isSearched: boolean): ListFilter[] {
  return [
    { rows: `t.booking = 'booked' AND t.amount > ${returned('t')}`, leaves: null },
    { rows: 't.currency = $value', leaves: null, value: currency },
    ...(bookedOn === null ? [] : [{ rows: 't.booked_on <= $value::date', leaves: null, value: bookedOn }]),
    isSearched
      ? { rows: `(t.account_id = $value::bigint OR ${isDue('t')})`, leaves: null, value: accountId }
      : { rows: isDue('t'), leaves: null },
  ]
}

/** Booked debits of the credit's account up to its day, that have not come back; without a search those of its amount. */
function filterTransfers(stored: StoredLine, isSearched: boolean): ListFilter[] {
  const { accountId, line } = stored
  const day = line.bookedOn ?? line.valueOn
  return [
    { rows: 't.account_id = $value::bigint', leaves: null, value: accountId },
    { rows: `t.booking = 'booked' AND t.amount > ${sumUnreturnable('t')}`, leaves: null },
    { rows: 't.currency = $value', leaves: null, value: line.currency },
    ...(day === null ? [] : [{ rows: 't.booked_on <= $value::date', leaves: null, value: day }]),
    ...(isSearched || day === null
      ? []
      : [{ rows: `t.booked_on >= $value::date - ${mostReturnDays}`, leaves: null, value: day }]),
    ...(isSearched ? [] : [{ rows: 't.amount = $value::numeric', leaves: null, value: fromUnits(getLeft(stored)) }]),
  ]
}

const paidOrders = `SELECT p.line_id, p.order_id FROM bank_allocations p`
const refundedOrders = `SELECT p.line_id, r.order_id FROM bank_allocations p JOIN bank_allocations r ON r.line_id = p.other_line_id
    AND r.purpose = 'refund' AND r.undone_at IS NULL
  WHERE p.purpose = 'refund' AND p.direction = 'debit' AND p.undone_at IS NULL`

/** Finds lines by the beginning of the number of an order that they have to do with. */
function listOrderNumberKeys(search: string, lineOrders: string): string[] {
  if (!parseSearchText(search).isCode) return []
  const number = foldNumber(search)
  const code = 'plain_code(o.order_number) COLLATE "C"'
  // `[` is the character after `Z`.
  return [
    `t.id IN (SELECT f.line_id FROM (${lineOrders}) f JOIN orders o ON o.id = f.order_id
      WHERE ${code} >= '${number}' AND ${code} < '${number}[')`,
  ]
}

async function findLines(ctx: Ctx, stored: StoredLine, search: string | undefined): Promise<string[]> {
  const isDebit = stored.line.direction === 'debit'
  const { list, filters, ...request } = buildLineList({ search, direction: isDebit ? 'credit' : 'debit' })
  const own = (isDebit ? filterCredits : filterTransfers)(stored, Boolean(search))
  const orderKeys = search ? listOrderNumberKeys(search, isDebit ? paidOrders : refundedOrders) : []
  const asked = {
    ...request,
    list: { ...list, keys: [...(list.keys ?? []), ...orderKeys] },
    filters: [...filters, ...own],
  }
  const { rows } = await readList<{ id: string }>(ctx.reads, asked, { page: 1, limit: mostFound })
  return rows.map(({ id }) => id)
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
  const line = toOpenLine(stored)
  const ids = await findLines(ctx, stored, search)
  const isDebit = line.direction === 'debit'
  const credits = isDebit ? await readCreditsById(db, ids) : []
  const transfers = isDebit ? [] : await readTransfersById(db, ids)
  const scoring = await loadScoringContext(db, [stored])
  const options = toOptions(stored, scoring)
  const found = [
    ...credits.flatMap((credit) => scoreFoundCredit(line, credit, scoring.lookup, options)),
    ...transfers.map((transfer) => scoreFoundTransfer(line, transfer, scoring.lookup)),
  ]
  return { candidates: await showCandidates(db, stored, showFound(found), scoring) }
}
