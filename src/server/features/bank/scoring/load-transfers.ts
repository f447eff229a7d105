import { sql, type SQL } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { isReturn } from '#server/features/bank/matching/return-words.ts'
import { mostReturnDays } from '#server/features/bank/matching/returns.ts'
import type { EarlierTransfer } from '#server/features/bank/matching/lookup.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { mostOfOneKey } from './lookup-statements.ts'

/** The orders that the refunds of a credit were meant for. */
const refundOrders = (creditId: string) => `(SELECT coalesce(json_agg(DISTINCT jsonb_build_object('id', o.id::text,
    'orderNumber', o.order_number)), '[]') FROM bank_parts r JOIN orders o ON o.id = r.order_id
  WHERE r.line_id = ${creditId} AND r.purpose = 'refund' AND r.direction = 'credit' AND r.undone_at IS NULL)`

const parts = `(SELECT coalesce(json_agg(json_build_object('id', p.id::text, 'purpose', p.purpose, 'amount', p.amount::text,
    'payerAccount', c.payer_account, 'endToEndId', c.end_to_end_id, 'orders', ${refundOrders('p.other_line_id')}) ORDER BY p.id DESC), '[]')
  FROM bank_parts p LEFT JOIN bank_lines c ON c.id = p.other_line_id
  WHERE p.line_id = d.id AND p.undone_at IS NULL AND p.purpose IN ('refund', 'ignored'))`

/** SQL: what of a debit took a payment back, or has come back already. */
export const sumUnreturnable = (line: string) => `coalesce((SELECT sum(p.amount) FROM bank_parts p
  WHERE p.line_id = ${line}.id AND p.undone_at IS NULL AND p.purpose IN ('reversal', 'return')), 0)`

const columns = sql.raw(`d.id::text AS "lineId", d.account_id::text AS "accountId", d.amount::text, d.currency,
  d.booked_on::text AS "bookedOn", d.end_to_end_id AS "endToEndId", d.uetr, d.bank_reference AS "bankReference",
  d.payer_account AS "payeeAccount", d.payer_name AS "payeeName", d.remittance, ${parts} AS parts,
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
        OR EXISTS (SELECT FROM bank_parts p WHERE p.line_id = d.id AND p.undone_at IS NULL AND p.amount = t.amount - t.allocated))
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
