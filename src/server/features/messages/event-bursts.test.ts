import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'

const server = await startServer()

test('a burst of events into an empty table is numbered by the index', async () => {
  const events = 500
  await server.sql('DELETE FROM platform_events')
  // PostgreSQL now knows that it is empty, and plans for that.
  await server.sql('VACUUM ANALYZE platform_events')
  const read = await server.services.database.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
      SELECT 'member.banned', 'member', 'm-' || n % 100, n, '{}' FROM generate_series(1, ${events}) AS n`)
    const { rows } = await tx.execute<{ rows: number }>(sql`
      SELECT seq_tup_read::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'platform_events'`)
    return rows[0]!.rows
  })
  expect(read).toBeLessThan(events)
  expect(
    await server.sql('SELECT max(sequence) AS last, count(DISTINCT entity_id)::int AS entities FROM platform_events'),
  ).toEqual([{ last: events / 100, entities: 100 }])
})
