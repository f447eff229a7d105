import type pg from 'pg'
import { buildCondition } from './list-rows.ts'
import { type ListRequest, orderOf } from './list.ts'
import { selectColumns } from './select.ts'

/** Rows per fetch: some hundred kB. */
const fetchSize = 1000

/**
 * Reads all requested rows in the list's order, with at most `fetchSize` in memory. Needs an open transaction, whose
 * snapshot it reads. Once per transaction.
 */
export async function* readAllRows<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  asked: ListRequest,
): AsyncGenerator<Row[], void> {
  const { list } = asked
  const { condition, values } = buildCondition(asked)
  await client.query(
    `DECLARE walk NO SCROLL CURSOR FOR SELECT ${selectColumns(list.select)} FROM ${list.table} t ${list.join ?? ''}
      WHERE ${condition} ORDER BY ${orderOf(list)}`,
    values,
  )
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH FORWARD ${fetchSize} FROM walk`)
    if (rows.length > 0) yield rows
    if (rows.length < fetchSize) return
  }
}
