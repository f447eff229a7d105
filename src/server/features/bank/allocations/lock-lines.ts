import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/core/upsert.ts'
import { readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { notFound } from '#server/lib/errors.ts'

/** Lines by their ids, locked in this order until the transaction ends. Throws not_found for one that there is not. */
export async function lockLines(tx: Tx, ids: readonly string[]): Promise<Map<string, StoredLine>> {
  if (ids.some((id) => !RowId.safeParse(id).success)) throw notFound('Bank line')
  const rows = await readStoredLines(
    tx,
    sql`WHERE l.id = ANY(${textArray(ids)}::bigint[]) ORDER BY l.id FOR NO KEY UPDATE OF l`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  if (ids.some((id) => !found.has(id))) throw notFound('Bank line')
  return found
}
