import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

const isNamed = (statementId: string) => sql`n.statement_id = ${statementId} AND n.entry_key IS NOT NULL`

/** Makes the found lines information. `found` selects the `id` of each, and the statement `by` whose lines stand for its money. */
const cover = (found: SQL, condition = sql`true`) => sql`
  UPDATE bank_lines l SET booking = 'info', version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}',
    proposed_orders = '{}', covered_by = found.by
  FROM (${found}) found WHERE l.id = found.id AND l.booking = 'booked' AND l.covered_by IS NULL AND ${condition}`

/**
 * A bank may book several payments as one sum, and name them in another file. Then the money stands twice among the lines, and
 * only one of both may be work: the transactions, unless the sum has a purpose already. The other becomes information
 * (docs/decisions/052). OFFSET 0 looks each line up by its key: a table that grows within the transaction has no statistics to
 * plan by, and any other plan compares each line of a large file with each of its account.
 */
export async function coverEntries(tx: Tx, statementId: string, accountId: string): Promise<void> {
  const isUntouched = sql`l.allocated = 0`
  const entry = (columns: SQL, condition = sql`true`) => sql`(SELECT ${columns} FROM bank_lines
    WHERE account_id = ${accountId} AND key = n.entry_key AND occurrence = n.occurrence AND ${condition} OFFSET 0) e`
  // The sum came before its transactions.
  const sums = sql`SELECT e.id, ${statementId}::bigint AS by
    FROM (SELECT DISTINCT entry_key, occurrence FROM bank_lines n WHERE ${isNamed(statementId)}) n
    CROSS JOIN LATERAL ${entry(sql`id`)}`
  await tx.execute(cover(sums, isUntouched))
  const transactionsOfUsedSums = sql`SELECT n.id, e.statement_id AS by FROM bank_lines n
    CROSS JOIN LATERAL ${entry(sql`statement_id`, sql`booking = 'booked' AND allocated > 0`)} WHERE ${isNamed(statementId)}`
  await tx.execute(cover(transactionsOfUsedSums))
  // The transactions came before their sum.
  const sumsOfKnown = sql`SELECT s.line_id AS id, n.statement_id AS by
    FROM bank_statement_lines s JOIN bank_lines k ON k.id = s.line_id CROSS JOIN LATERAL (
      SELECT statement_id FROM bank_lines
      WHERE account_id = ${accountId} AND entry_key = k.key AND occurrence = k.occurrence AND booking = 'booked' OFFSET 0
    ) n WHERE s.statement_id = ${statementId}`
  await tx.execute(cover(sumsOfKnown, isUntouched))
}
