import { type SQL, sql } from 'drizzle-orm'
import { statementFileLimits } from '#contract/bank.ts'
import type { Db, Tx } from './client.ts'
import { textArray } from './parameters.ts'

/** Whether a text has one of `values`, in whatever case. */
export const hasOneOf = (text: SQL, values: readonly string[]) => sql`EXISTS (
  SELECT FROM lower(${text}) AS whole, unnest(${textArray(values)}) AS v WHERE strpos(whole, lower(v)) > 0)`

/** Rows with a text, by an id that grows. */
export interface SearchedTexts {
  rows: SQL
  id: SQL
  text: SQL
  where?: SQL
}

/** The rows that have one of `values`. Those above id `until` may have come since they were searched. */
export interface TextsFound {
  values: readonly string[]
  until: number
  ids: readonly string[]
}

/** So many rows are searched by one statement, which has an end to its time. */
const idsAtOnce = 50_000

/** A transaction that was under way may bring so many rows below the last id: an import, the lines of a whole file. */
const lateIds = statementFileLimits.lines

/**
 * Searches texts that no index has. Search all rows before anything is locked: with what that found, only the newest
 * rows are searched in the transaction, if no value is new.
 */
export async function searchTexts(
  db: Db | Tx,
  { rows: from, id, text, where = sql`true` }: SearchedTexts,
  values: readonly string[],
  ahead?: TextsFound,
): Promise<TextsFound> {
  if (values.length === 0) return { values, until: 0, ids: [] }
  const known = ahead && values.every((value) => ahead.values.includes(value)) ? ahead : { until: 0, ids: [] }
  const { rows } = await db.execute<{ last: number }>(sql`SELECT coalesce(max(${id}), 0)::float8 AS last FROM ${from}`)
  const { last } = rows[0]!
  const ids = [...known.ids]
  for (let after = known.until; after < last; after += idsAtOnce) {
    const { rows: found } = await db.execute<{ id: string }>(sql`
      SELECT ${id}::text AS id FROM ${from}
      WHERE ${id} > ${after} AND ${id} <= ${after + idsAtOnce} AND ${where} AND ${hasOneOf(text, values)}`)
    ids.push(...found.map((row) => row.id))
  }
  return { values, until: Math.max(0, last - lateIds), ids }
}
