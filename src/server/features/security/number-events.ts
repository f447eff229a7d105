import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'

const batchSize = 1000

/**
 * Numbers the committed security events that have no number yet, for what sends them out. An event of a transaction
 * under way gets its number after it, and so a higher one: who has read up to a number has missed none.
 */
export async function numberEvents(ctx: Ctx): Promise<void> {
  for (let found = batchSize; found === batchSize;) found = await numberBatch(ctx)
}

async function numberBatch(ctx: Ctx): Promise<number> {
  const { rows } = await ctx.database.pool.query<{ waits: boolean }>({
    name: 'events_unnumbered',
    text: 'SELECT EXISTS (SELECT FROM security_events WHERE seq IS NULL) AS waits',
  })
  if (!rows[0]!.waits) return 0
  return inTransaction(ctx, async (tx) => {
    // Until the commit, so that no higher number is to be seen before a lower one.
    await lockInTransaction(tx, 'security event numbers')
    const { rows: numbered } = await tx.execute<{ id: string }>(sql`
      WITH unnumbered AS MATERIALIZED (
        SELECT id FROM security_events WHERE seq IS NULL ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE
      ), numbers AS MATERIALIZED (SELECT id, nextval('security_event_numbers') AS seq FROM unnumbered)
      UPDATE security_events AS e SET seq = numbers.seq FROM numbers WHERE e.id = numbers.id
      RETURNING e.id::text`)
    return numbered.length
  })
}
