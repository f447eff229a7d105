import { sql, type SQL } from 'drizzle-orm'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLinesQuery } from '#contract/schemas/bank-queries.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { declareCounts } from '#server/db/counts.ts'
import { type ListDesign, type ListFilter, type ListRequest, dateOrders, readList } from '#server/db/list.ts'
import { expressions, selectColumns } from '#server/db/select.ts'
import { bankLines } from '#server/db/tables/bank.ts'
import { filterAge } from './ageing.ts'
import { filterLines } from './attention.ts'
import { selectRefundsDue } from '#server/features/bank/shared/refunds-due.ts'
import { parseSearchText } from '#server/search/search-terms.ts'

/** With the amounts, because an account shows what is open. */
export const lineCounts = declareCounts({
  name: 'bank_lines',
  table: bankLines,
  at: bankLines.listedAt,
  by: {
    account: bankLines.accountId,
    state: bankLines.state,
    direction: bankLines.direction,
    suggestion: bankLines.suggestion,
  },
  amount: bankLines.amount,
})

/** The states in which a line is work. */
const lineWork = ['open', 'part'] as const

const lineColumns = {
  id: bankLines.id,
  accountId: bankLines.accountId,
  statementId: bankLines.statementId,
  place: bankLines.place,
  bookedOn: bankLines.bookedOn,
  valueOn: bankLines.valueOn,
  direction: bankLines.direction,
  amount: bankLines.amount,
  currency: bankLines.currency,
  isReversal: bankLines.isReversal,
  booking: bankLines.booking,
  state: bankLines.state,
  allocated: bankLines.allocated,
  remittance: bankLines.remittance,
  info: bankLines.info,
  importedAt: bankLines.createdAt,
  suggestion: bankLines.suggestion,
  outcome: bankLines.outcome,
  flags: bankLines.flags,
  proposedOrders: bankLines.proposedOrders,
  version: bankLines.version,
}

const payer = `json_build_object('name', t.payer_name, 'account', t.payer_account)`

/** As `PayerClaims`, of a line `table`. */
export const selectClaims = (table: string) =>
  `json_build_object('ultimate', ${table}.details ->> 'ultimate', 'name', ${table}.details ->> 'textName',
    'account', ${table}.details ->> 'textIban')`

const references = `(SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'reference', r.reference)), '[]')
  FROM (SELECT 'structured' AS kind, unnest(t.structured) AS reference
    UNION ALL VALUES ('endToEnd', t.end_to_end_id), ('bank', t.bank_reference), ('mandate', t.mandate_id), ('uetr', t.uetr)) r
  WHERE r.reference IS NOT NULL)`

const lineList: ListDesign & { join: string } = {
  ...lineCounts.list,
  select: {
    ...expressions(lineColumns, 't'),
    accountName: 'a.name',
    statementNumber: 's.number',
    payer,
    claims: selectClaims('t'),
    references,
    returnReason: `t.details ->> 'returnReason'`,
    instructed: `t.details -> 'instructed'`,
    charges: `coalesce(t.details -> 'charges', '[]')`,
    refundsDue: `(${selectRefundsDue('t.id')})`,
  },
  join: 'JOIN bank_accounts a ON a.id = t.account_id JOIN bank_statements s ON s.id = t.statement_id',
  matches: 't.search LIKE search_pattern($1)',
}

/** As the index has it, which holds no more of a text. */
const plainAccount = 'left(plain_code(t.payer_account), 34) COLLATE "C"'

/** Whether the line `t` is work and may pay the order whose number a text is, whatever blanks and signs that has. */
export const paysOrder = (text: string) => `t.state IN ('open', 'part') AND t.proposed_orders &&
  ARRAY(SELECT order_number FROM orders o WHERE plain_code(o.order_number) COLLATE "C" = plain_code(${text}))`

/** Other ways to find a line: by the beginning or the end of the payer's IBAN, however it is written, and by its amount. */
function keysOf(search: string): string[] {
  const { iban, accountEnd, isCode, signedAmount: amount } = parseSearchText(search)
  const ofCurrency = amount?.currency ? `AND t.currency = '${amount.currency}'` : ''
  const ofSign = amount?.sign ? `AND t.direction = '${amount.sign === '-' ? 'debit' : 'credit'}'` : ''
  return [
    // `[` is the character after `Z`.
    ...(iban ? [`${plainAccount} >= '${iban}' AND ${plainAccount} < '${iban}['`] : []),
    // The account is a line of its own in the searched text.
    ...(accountEnd ? [`t.search LIKE '%${accountEnd}' || E'\\n%'`] : []),
    ...(amount ? [`t.amount IN (${amount.decimals.join(', ')}) ${ofCurrency} ${ofSign}`] : []),
    // As matching reads it: “ORD 011101” names ORD-011101.
    ...(isCode ? [paysOrder('$1')] : []),
  ]
}

/** Which suggestions the filter `work` asks for; `todo` any, also none yet. */
const ofWork = (work: BankLinesQuery['work']) => (work === 'todo' ? undefined : work)

/** The lines of a period. */
export function filterDays({ from, to }: { from?: string | undefined; to?: string | undefined }): ListFilter[] {
  const day = 'coalesce(t.booked_on, t.value_on)'
  return [
    ...(from ? [{ rows: `${day} >= $value::date`, leaves: null, value: from }] : []),
    ...(to ? [{ rows: `${day} <= $value::date`, leaves: null, value: to }] : []),
  ]
}

/** The lines of the accounts in a currency of three letters. */
function filterCurrency(currency: string): ListFilter {
  const accounts = (id: string) => `(SELECT ${id} FROM bank_accounts WHERE currency = '${currency}')`
  return {
    rows: `t.account_id IN ${accounts('id')}`,
    leaves: `${lineCounts.part('account')} IN ${accounts('id::text')}`,
    hasOpenValue: true,
  }
}

export function buildLineList(query: Partial<BankLinesQuery>): ListRequest {
  const { search, accountId, state, work, attention, age, direction, currency, from, to, sort } = query
  const filters = [
    lineCounts.filter({ account: accountId, state, direction }),
    ...(work ? [lineCounts.filter({ state: lineWork, suggestion: ofWork(work) })] : []),
    ...(attention ? [filterLines(attention)] : []),
    ...(age ? [filterAge(age)] : []),
    ...(currency ? [filterCurrency(currency)] : []),
    ...filterDays({ from, to }),
  ]
  // Work is done in the order in which it came.
  const order = dateOrders[sort ?? (work ? 'oldest' : 'newest')]
  const list = { ...lineList, order, ...(search && { keys: keysOf(search) }) }
  return { list, filters, typed: search }
}

/** The lines of all statements, newest first; the work that waits, oldest first (product 6.11). */
export async function listLines({ reads }: Ctx, query: BankLinesQuery) {
  const { rows: lines, ...rest } = await readList<BankLine>(reads, buildLineList(query), query)
  return { lines, ...rest }
}

async function readLines(db: Db | Tx, rest: SQL): Promise<BankLine[]> {
  const { rows } = await db.execute<BankLine & Record<string, unknown>>(
    sql`SELECT ${sql.raw(selectColumns(lineList.select))} FROM bank_lines t ${sql.raw(lineList.join)} ${rest}`,
  )
  return rows
}

/** One line as lists have it. The caller knows that there is one. */
export const readLine = async (db: Db | Tx, id: string): Promise<BankLine> =>
  (await readLines(db, sql`WHERE t.id = ${id}`))[0]!

/** The first of the lines whose ids a query selects, in the order in which they came. */
export const readLinesOf = (db: Db | Tx, ids: SQL, most: number): Promise<BankLine[]> =>
  readLines(db, sql`WHERE t.id IN (${ids}) ORDER BY t.id LIMIT ${most}`)
