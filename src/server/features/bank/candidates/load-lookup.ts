import { type SQL, sql } from 'drizzle-orm'
import { buildRefundText } from '#contract/refund-text.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { addDays, getLineDay, mostLateDays } from '#server/features/bank/matching/days.ts'
import { IndexedLookup } from '#server/features/bank/matching/indexed-lookup.ts'
import type {
  EarlierCredit,
  EarlierTransfer,
  MatchMember,
  MatchOrder,
  MatchAllocation,
} from '#server/features/bank/matching/lookup.ts'
import { foldNumber } from '#server/features/bank/matching/references.ts'
import { isReturn } from '#server/features/bank/matching/return-texts.ts'
import { mostReturnDays } from '#server/features/bank/matching/returns.ts'
import { buildSearchKeys, listNumberKeys, type SearchKeys } from '#server/features/bank/matching/search-keys.ts'
import { readRefundsDue } from '#server/features/bank/shared/refunds-due.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import * as statements from './lookup-statements.ts'
import { mostOfOneKey, selectCredits, selectCreditsById, selectOrderAllocations } from './lookup-statements.ts'

type Row = Record<string, unknown>

/** Runs a statement unless it has nothing to look for. */
async function read<Result extends object>(db: Db | Tx, keys: Iterable<unknown>, statement: SQL): Promise<Result[]> {
  if (keys[Symbol.iterator]().next().done) return []
  return (await executePrepared<Result & Row>(db, statement)).rows
}

/** The lengths of all order numbers without their signs. */
export async function readNumberLengths(db: Db | Tx): Promise<Set<number>> {
  const { rows } = await executePrepared<{ length: number }>(db, statements.selectNumberLengths)
  return new Set(rows.map(({ length }) => length))
}

async function readOwnAccounts(db: Db | Tx): Promise<string[]> {
  const { rows } = await executePrepared<{ account: string }>(db, sql`SELECT account_key AS account FROM bank_accounts`)
  return rows.map(({ account }) => account)
}

type FoundCredit = Omit<EarlierCredit, 'orders' | 'allocations' | 'refundOrders' | 'refundText'> & {
  valueOn: string | null
  /** As screens and texts have it. */
  shownAmount: string
}

/** The credits that debits may take back, with the orders that they paid. */
async function readCredits(db: Db | Tx, lines: StatementLine[], keys: SearchKeys, named: readonly MatchOrder[]) {
  const debits = lines.filter(({ direction }) => direction === 'debit')
  const orderIds = named.map(({ id }) => id)
  return addOrders(db, await read<FoundCredit>(db, keys.credits, selectCredits(keys.credits, debits, orderIds)))
}

/** Credits by their ids, with the orders that they paid. */
export const readCreditsById = async (db: Db | Tx, ids: readonly string[]): Promise<EarlierCredit[]> =>
  addOrders(db, await read<FoundCredit>(db, ids, selectCreditsById(ids)))

async function addOrders(db: Db | Tx, credits: readonly FoundCredit[]): Promise<EarlierCredit[]> {
  const lineIds = credits.map(({ lineId }) => lineId)
  const allocations = await read<MatchAllocation & { lineId: string }>(db, lineIds, selectOrderAllocations(lineIds))
  const paidIds = new Set(allocations.map(({ orderId }) => orderId))
  const paid = await read<MatchOrder>(db, paidIds, statements.selectOrders(paidIds))
  const refunds = await readRefundsDue(
    db,
    credits.flatMap(({ lineId, refundDue }) => (refundDue === null ? [] : [lineId])),
  )
  return credits.map(({ valueOn, shownAmount, ...credit }): EarlierCredit => {
    const own = allocations.filter(({ lineId }) => lineId === credit.lineId)
    const refundsDue = refunds.get(credit.lineId) ?? []
    const payment = { ...credit, valueOn, amount: shownAmount, refundsDue }
    return {
      ...credit,
      refundOrders: refundsDue.flatMap(({ order }) => order ?? []),
      refundText: credit.refundDue === null ? null : buildRefundText(payment),
      orders: paid.filter(({ id }) => own.some(({ orderId }) => orderId === id)),
      allocations: own.map(({ orderId, orderNumber, amount }) => ({ orderId, orderNumber, amount })),
    }
  })
}

/**
 * Fetches what matching looks up for these lines, in three rounds: the numbers that they name, what else their
 * keys find, then the members found and their open orders. Every statement goes by indexes. `orderIds` are orders that are needed even if no
 * line names them, `transfers` what the lines may return.
 */
export async function loadLookup(
  db: Db | Tx,
  lines: StatementLine[],
  orderIds: readonly string[] = [],
  transfers: readonly EarlierTransfer[] = [],
): Promise<IndexedLookup> {
  const numberLengths = await readNumberLengths(db)
  const numberKeys = listNumberKeys(lines, numberLengths)
  const numbered = await read<MatchOrder>(db, numberKeys, statements.selectNumberedOrders(numberKeys))
  const numbers = new Set(numbered.map(({ orderNumber }) => foldNumber(orderNumber)))
  const keys = buildSearchKeys(lines, numberLengths, (key) => numbers.has(key))
  const since = findFirstDay(lines)
  const orderKeys = Object.values(keys.orders).flatMap((each) => [...each])
  const named = [
    ...numbered,
    ...(await read<MatchOrder>(db, orderKeys, statements.selectNamedOrders(keys, numberLengths))),
  ]
  const more = await read<MatchOrder>(db, orderIds, statements.selectOrders(orderIds))
  const byName = await read<{ id: string }>(db, keys.names, statements.selectNamedMembers(keys, since))
  const owners = await read<PayerAccount>(db, keys.accounts, statements.selectAccountOwners(keys.accounts))
  const credits = await readCredits(db, lines, keys, named)
  const memberIds = new Set([
    ...[...named, ...more].map(({ memberId }) => memberId),
    ...byName.map(({ id }) => id),
    ...owners.map(({ memberId }) => memberId),
  ])
  const members = await read<MatchMember>(db, memberIds, statements.selectMembers(memberIds))
  const open = await read<MatchOrder>(db, memberIds, statements.selectOpenOrders(memberIds, since))
  const accounts = await read<PayerAccount>(db, memberIds, statements.selectMemberAccounts(memberIds))
  return new IndexedLookup({
    orders: sortById([...named, ...more, ...open]),
    members,
    accounts: [...owners, ...accounts],
    ownAccounts: await readOwnAccounts(db),
    credits,
    transfers,
    numberLengths,
  })
}

/** The first day on which an order may have ended that one of the lines is looked for under. */
function findFirstDay(lines: readonly StatementLine[]): string {
  // A line without a day is looked for under all of them.
  const days = lines.map((line) => getLineDay(line) ?? '')
  const first = days.reduce((one, other) => (one < other ? one : other), days[0] ?? '')
  return first === '' ? '-infinity' : addDays(first, -mostLateDays)
}

interface PayerAccount {
  account: string
  memberId: string
}

/** Each order once, the oldest first. */
function sortById(orders: readonly MatchOrder[]): MatchOrder[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return [...byId.values()].toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
}

/** The orders that the refunds of a credit were meant for. */
const refundOrders = (creditId: string) => `(SELECT coalesce(json_agg(DISTINCT jsonb_build_object('id', o.id::text,
    'orderNumber', o.order_number)), '[]') FROM bank_allocations r JOIN orders o ON o.id = r.order_id
  WHERE r.line_id = ${creditId} AND r.purpose = 'refund' AND r.direction = 'credit' AND r.undone_at IS NULL)`

const allocations = `(SELECT coalesce(json_agg(json_build_object('id', p.id::text, 'purpose', p.purpose, 'amount', p.amount::text,
    'payerAccount', c.payer_account, 'endToEndId', c.end_to_end_id, 'orders', ${refundOrders('p.other_line_id')}) ORDER BY p.id DESC), '[]')
  FROM bank_allocations p LEFT JOIN bank_lines c ON c.id = p.other_line_id
  WHERE p.line_id = d.id AND p.undone_at IS NULL AND p.purpose IN ('refund', 'ignored'))`

/** SQL: what of a debit took a payment back, or has come back already. */
export const sumUnreturnable = (line: string) => `coalesce((SELECT sum(p.amount) FROM bank_allocations p
  WHERE p.line_id = ${line}.id AND p.undone_at IS NULL AND p.purpose IN ('reversal', 'return')), 0)`

const columns = sql.raw(`d.id::text AS "lineId", d.account_id::text AS "accountId", d.amount::text, d.currency,
  d.booked_on::text AS "bookedOn", d.end_to_end_id AS "endToEndId", d.uetr, d.bank_reference AS "bankReference",
  d.payer_account AS "payeeAccount", d.payer_name AS "payeeName", d.remittance, ${allocations} AS allocations,
  (d.amount - d.allocated)::text AS open, (d.amount - ${sumUnreturnable('d')})::text AS returnable`)

const isTransfer = "d.direction = 'debit' AND d.booking = 'booked'"
const limit = sql.raw(`LIMIT ${mostOfOneKey}`)

/** Debits by the end-to-end ids of these credits. */
const byId = (ids: readonly string[]): SQL => sql`SELECT found.id FROM bank_lines t CROSS JOIN LATERAL (
    SELECT d.id FROM bank_lines d WHERE d.end_to_end_id = t.end_to_end_id AND ${sql.raw(isTransfer)}
      AND d.account_id = t.account_id AND d.currency = t.currency ORDER BY d.listed_at DESC, d.id DESC ${limit}) found
  WHERE t.id = ANY(${textArray(ids)}::bigint[]) AND t.end_to_end_id IS NOT NULL`

/** Debits of the days before these credits that are as much, or more by what banks keep. */
const byAmount = (
  ids: readonly string[],
  feeTolerance: string,
): SQL => sql`SELECT found.id FROM bank_lines t CROSS JOIN LATERAL (
    SELECT d.id FROM bank_lines d WHERE d.account_id = t.account_id AND ${sql.raw(isTransfer)} AND d.currency = t.currency
      AND d.listed_at <= t.listed_at AND d.listed_at >= t.listed_at - make_interval(days => ${sql.raw(String(mostReturnDays))})
      AND (d.amount BETWEEN t.amount - t.allocated AND t.amount - t.allocated + ${feeTolerance}::numeric
        OR EXISTS (SELECT FROM bank_allocations p WHERE p.line_id = d.id AND p.undone_at IS NULL AND p.amount = t.amount - t.allocated))
    ORDER BY d.listed_at DESC, d.id DESC ${limit}) found
  WHERE t.id = ANY(${textArray(ids)}::bigint[])`

/** The transfers of ours that these lines may return: by their end-to-end id, or where a line is called a return by its amount. */
export async function readTransfers(
  db: Db | Tx,
  lines: readonly StoredLine[],
  feeTolerance: string,
): Promise<EarlierTransfer[]> {
  const credits = lines.filter(({ line }) => line.direction === 'credit' && line.booking === 'booked')
  const named = credits.filter(({ line }) => line.endToEndId !== null).map(({ id }) => id)
  const returned = credits.filter(({ line }) => isReturn(line)).map(({ id }) => id)
  if (named.length === 0 && returned.length === 0) return []
  return select(db, sql`d.id IN (${byId(named)} UNION ${byAmount(returned, feeTolerance)})`)
}

/** Transfers by their ids. */
export const readTransfersById = (db: Db | Tx, ids: readonly string[]): Promise<EarlierTransfer[]> =>
  select(db, sql`d.id = ANY(${textArray(ids)}::bigint[])`)

async function select(db: Db | Tx, condition: SQL): Promise<EarlierTransfer[]> {
  const { rows } = await executePrepared<EarlierTransfer & Record<string, unknown>>(
    db,
    sql`SELECT ${columns} FROM bank_lines d WHERE ${condition} ORDER BY d.listed_at DESC, d.id DESC`,
  )
  return rows
}
