import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

const cover = sql`booking = 'info', version = l.version + 1, suggestion = NULL, outcome = NULL, flags = '{}', proposed_orders = '{}'`
const isWork = sql`l.booking = 'booked' AND l.covered_by IS NULL`

/**
 * A bank may book several payments as one sum, and name them in another file. Then the money stands twice among the lines, and
 * only one of both may be work: the transactions, unless the sum has a purpose already. The other becomes information
 * (docs/decisions/052).
 */
export async function coverEntries(tx: Tx, statementId: string, accountId: string): Promise<void> {
  const ofStatement = sql`i.statement_id = ${statementId} AND i.entry_key IS NOT NULL`
  const isEntryOf = sql`l.account_id = ${accountId} AND l.key = i.entry_key AND l.occurrence = i.occurrence`
  // The sum came before its transactions.
  await tx.execute(sql`UPDATE bank_lines l SET ${cover}, covered_by = ${statementId} FROM bank_lines i
    WHERE ${ofStatement} AND ${isEntryOf} AND ${isWork} AND l.allocated = 0`)
  await tx.execute(sql`UPDATE bank_lines l SET ${cover}, covered_by = e.statement_id FROM bank_lines e
    WHERE l.statement_id = ${statementId} AND l.entry_key IS NOT NULL AND ${isWork}
      AND e.account_id = ${accountId} AND e.key = l.entry_key AND e.occurrence = l.occurrence
      AND e.booking = 'booked' AND e.allocated > 0`)
  // The transactions came before their sum.
  await tx.execute(sql`UPDATE bank_lines l SET ${cover}, covered_by = i.statement_id FROM bank_lines i
    WHERE i.account_id = ${accountId} AND i.entry_key IS NOT NULL AND i.booking = 'booked' AND ${isEntryOf} AND ${isWork}
      AND l.allocated = 0 AND l.id IN (SELECT line_id FROM bank_statement_lines WHERE statement_id = ${statementId})`)
}
