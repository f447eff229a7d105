import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '#server/db/parameters.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { listNameKeys } from '#server/features/bank/matching/name-tokens.ts'

/** Members that one statement reads. */
const readAtOnce = 20_000
/** Names that one statement writes. */
const batchSize = 1000

interface MemberName extends Record<string, unknown> {
  id: string
  name: string
}

const name = sql.raw(`coalesce(m.legal_first_name, '') || ' ' || coalesce(m.legal_last_name, '')`)

/** Members of a range of ids, whose name keys are missing or of a former name, by id. */
const selectOutdated = (wanted: SQL, isInRange: (column: string) => SQL) => sql`
  SELECT m.id, ${name} AS name FROM members m
  LEFT JOIN payer_names n ON n.member_id = m.id AND ${isInRange('n.member_id')}
  WHERE ${wanted} AND ${isInRange('m.id')} AND n.name IS DISTINCT FROM ${name} AND EXISTS (
    SELECT FROM orders o
    WHERE o.member_id = m.id AND ${isInRange('o.member_id')} AND o.status IN ('waiting_payment', 'expired'))
  ORDER BY m.id`

async function saveNames(tx: Tx, found: readonly MemberName[]): Promise<void> {
  const rows = found.map((member) => ({ ...member, keys: [...new Set(listNameKeys(member.name))] }))
  await tx.execute(sql`
    INSERT INTO payer_names (member_id, name, keys)
    SELECT r.id, r.name, ARRAY(SELECT jsonb_array_elements_text(r.keys))
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id text, name text, keys jsonb) ORDER BY r.id
    ON CONFLICT (member_id) DO UPDATE SET name = excluded.name, keys = excluded.keys`)
}

/** Brings the name keys of these members with open orders up to date; of all of them without ids. */
export async function refreshPayerNames(
  database: Pick<Database, 'db' | 'transaction'>,
  ids: readonly string[] | null,
  stop: AbortSignal,
): Promise<void> {
  const wanted = ids === null ? sql`true` : sql`m.id = ANY(${textArray(ids)})`
  for (let after = ''; !stop.aborted;) {
    const range = await database.db.execute<{ last: string | null }>(sql`
      SELECT max(id) AS last FROM (
        SELECT m.id FROM members m WHERE ${wanted} AND m.id > ${after} ORDER BY m.id LIMIT ${readAtOnce}) AS page`)
    const { last } = range.rows[0]!
    if (last === null) return
    const from = after
    const { rows } = await database.db.execute<MemberName>(
      selectOutdated(wanted, (column) => sql`${sql.raw(column)} > ${from} AND ${sql.raw(column)} <= ${last}`),
    )
    for (let at = 0; at < rows.length; at += batchSize)
      await database.transaction((tx) => saveNames(tx, rows.slice(at, at + batchSize)))
    after = last
  }
}
