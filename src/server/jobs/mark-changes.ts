import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'

/** For how long back changes can be listed since an instant; since an earlier one all are listed. */
const keptFor = sql`interval '35 days'`

/**
 * Notes which transactions are under way now. Rounded up, since the mark must not claim to know of a moment before it was
 * made; the oldest transaction under way is read in the same statement.
 */
export async function markChanges({ database: { db } }: Pick<Services, 'database'>): Promise<void> {
  await db.execute(sql`
    INSERT INTO change_marks (at, open_from)
    SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond', pg_snapshot_xmin(pg_current_snapshot())
    ON CONFLICT DO NOTHING`)
  await db.execute(sql`DELETE FROM change_marks WHERE at < now() - ${keptFor}`)
}
