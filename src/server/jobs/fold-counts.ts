import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'

const batchSize = 10_000

/**
 * Adds the rows of `list_deltas` to totals and days. Several servers may run this at once: each takes rows that no
 * other has locked. The sum is the same before, during and after.
 */
export async function foldCounts(services: Pick<Services, 'database'>): Promise<void> {
  while ((await foldBatch(services)) === batchSize);
}

/** Folds one batch. Returns the number of its rows. */
async function foldBatch({ database }: Pick<Services, 'database'>): Promise<number> {
  const { rows } = await database.db.execute<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM list_deltas WHERE id IN (SELECT id FROM list_deltas ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
      RETURNING list, leaf, day, rows, amount
    ), total AS (
      INSERT INTO list_totals AS t (list, leaf, rows, amount)
      SELECT list, leaf, sum(rows), sum(amount) FROM taken GROUP BY list, leaf ORDER BY list, leaf
      ON CONFLICT (list, leaf) DO UPDATE SET rows = t.rows + excluded.rows, amount = t.amount + excluded.amount
    ), day AS (
      INSERT INTO list_days AS d (list, leaf, day, rows)
      SELECT list, leaf, day, sum(rows) FROM taken GROUP BY list, leaf, day ORDER BY list, day, leaf
      ON CONFLICT (list, day, leaf) DO UPDATE SET rows = d.rows + excluded.rows
    )
    SELECT count(*)::int AS taken FROM taken`)
  return rows[0]?.taken ?? 0
}
