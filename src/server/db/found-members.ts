import type { Reads } from './reads.ts'

/** Members that are read. They are named one by one if there are no more. */
const mostMembers = 3000

export interface FoundMembers {
  /** The ids of all members whom the text finds. Null where they are too many. */
  ids: string[] | null
  /** Whether they have more rows than are counted. */
  hasMore: boolean
}

/**
 * The members whom a text finds, and whether more than `cap` rows `t` of a table are theirs and pass `condition`, whose values begin with
 * `$2`. The newest members tell both, and are read only as far as they have to, so that a frequent name needs no look at all who bear it.
 */
export async function findMembers(
  reads: Reads,
  typed: string,
  rowsOf: { table: string; condition: string; values: readonly string[] },
  cap: number,
): Promise<FoundMembers> {
  const text = `WITH found AS MATERIALIZED (
      SELECT id FROM members WHERE search LIKE search_pattern($1) ORDER BY created_at DESC, id DESC LIMIT ${mostMembers + 1}),
    counted AS (SELECT count(*) > ${cap} AS "hasMore" FROM (SELECT FROM found f CROSS JOIN LATERAL (
      SELECT FROM ${rowsOf.table} t WHERE t.member_id = f.id AND (${rowsOf.condition}) OFFSET 0) r LIMIT ${cap + 1}) c)
    SELECT "hasMore", CASE WHEN NOT "hasMore" THEN ARRAY(SELECT id FROM found) END AS ids FROM counted`
  const { rows } = await reads.query<FoundMembers>({ text, values: [typed, ...rowsOf.values] })
  const { hasMore, ids } = rows[0]!
  return { hasMore, ids: ids && ids.length <= mostMembers ? ids : null }
}
