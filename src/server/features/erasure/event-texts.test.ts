import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Tx } from '#server/db/client.ts'
import { makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createTraceSearch } from '#test/support/trace-search.ts'
import { eraseMember } from './service.ts'

const server = await startServer()
const ada = server.as('ada')
const { findRows } = createTraceSearch(server)

const makePerson = (legalLastName: string) =>
  makeMember(server, { legalFirstName: 'Ottoline', legalLastName, legalPhone: null })

async function raise(description: string, details: object = {}) {
  const [event] = await server.sql<{ id: string }>(
    `INSERT INTO security_events (severity, event_type, description, details) VALUES ('low', 'x', $1, $2)
     RETURNING id::text`,
    [description, details],
  )
  return event!.id
}
const resolve = async (id: string, note: string) =>
  expect((await ada('POST', `/api/security/events/${id}/resolve`, { note })).statusCode).toBe(200)

/** Leaves more ids free than are searched again when the member is locked. */
const skipIds = () =>
  server.sql(
    `SELECT setval(pg_get_serial_sequence(name, 'id'), nextval(pg_get_serial_sequence(name, 'id')) + 200000)
     FROM unnest('{audit_log,security_events}'::text[]) AS name`,
  )

/** The rows that this connection has read of the two tables. */
async function countRead(tx: Tx) {
  const { rows } = await tx.execute<{ count: number }>(sql`
    SELECT sum(seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables
    WHERE relname IN ('audit_personal', 'security_events')`)
  return rows[0]!.count
}

/** Erases with `between` after the search, before the last transaction. Returns the rows that this transaction read. */
async function eraseWith(id: string, between = async () => {}) {
  const { database } = server.system
  let transactions = 0
  let read = 0
  const transaction: typeof database.transaction = async (work) => {
    if (transactions++ === 1) await between()
    return database.transaction(async (tx) => {
      // A table of some pages would be read as a whole, whatever index there is.
      await tx.execute(sql`SET LOCAL enable_seqscan = off`)
      const before = await countRead(tx)
      const result = await work(tx)
      read = (await countRead(tx)) - before
      return result
    })
  }
  await eraseMember({ ...server.system, database: { ...database, transaction } }, id)
  return read
}

test('texts and notes that come after the search are erased with the member (product 7.13)', async () => {
  const { id } = await makePerson('Quillabra')
  const [old, before] = [await raise('Old'), await raise('Of Ottoline Quillabra')]
  await skipIds()
  await raise('Newest')
  await eraseWith(id, async () => {
    await raise('Of OTTOLINE Quillabra', { name: 'Ottoline Quillabra' })
    await resolve(old, 'Ottoline Quillabra rang')
  })
  expect(await findRows(['Quillabra'])).toEqual([])
  const texts = await server.sql(
    'SELECT description, resolution_note FROM security_events WHERE id = ANY($1) ORDER BY id',
    [[old, before]],
  )
  expect(texts).toEqual([
    { description: 'Old', resolution_note: 'Erased' },
    { description: 'Erased', resolution_note: null },
  ])
})

test('the member is locked for as long as the newest texts are searched, not all', async () => {
  const { id } = await makePerson('Quillobra')
  await resolve(await raise('Of Ottoline Quillobra'), 'Ottoline Quillobra rang')
  await server.sql(`
    INSERT INTO security_events (severity, event_type, description)
      SELECT 'low', 'x', 'Old' FROM generate_series(1, 2000);
    INSERT INTO audit_personal (audit_id, details, salt)
      SELECT nextval(pg_get_serial_sequence('audit_log', 'id')), '{"reason": "Old"}', '' FROM generate_series(1, 2000)`)
  await skipIds()
  await resolve(await raise('Newest'), 'Nobody')
  await server.sql('ANALYZE security_events, audit_personal')
  const read = await eraseWith(id)
  expect(await findRows(['Quillobra'])).toEqual([])
  expect(read).toBeLessThan(100)
})
