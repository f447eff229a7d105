import { expect, test, vi } from 'vitest'
import { makeMember, makeMembers } from './support/make.ts'
import { startProcess } from './support/server-process.ts'
import { createSession, startServer } from './support/server.ts'

const server = await startServer()

test('a server killed amid changes keeps all it answered (CONTRIBUTING rule 3)', async () => {
  await server.addOperator('ada', 'super_admin')
  const cookie = await createSession(server, 'ada')
  const killed = await startProcess(server)
  const members = await makeMembers(server, 60, () => ({}))
  const late = await makeMember(server)
  const holder = await server.services.database.pool.connect()
  const answered = new Set<string>()
  const ban = async (id: string) => {
    const reply = await fetch(`${killed.url}/api/users/${id}/ban`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Fraud' }),
    }).catch(() => undefined)
    if (reply?.ok) answered.add(id)
  }
  const waiting = async () =>
    server.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO messages%'`,
    )

  const calls = members.map(({ id }) => ban(id))
  await vi.waitUntil(() => answered.size >= 20, { interval: 1, timeout: 60_000 })
  // From here on changes wait in the midst of their transactions: the member is written, its event is not.
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE messages IN SHARE MODE')
  calls.push(ban(late.id))
  await vi.waitUntil(async () => (await waiting()).length > 0, { interval: 5, timeout: 60_000 })
  await killed.kill()
  await Promise.all(calls)
  await holder.query('ROLLBACK')
  holder.release()
  await vi.waitUntil(async () => (await waiting()).length === 0, { interval: 5, timeout: 60_000 })

  const stands = async () =>
    server.sql<{ id: string; banned: boolean; audits: number; events: number }>(
      `SELECT id, banned,
         (SELECT count(*)::int FROM audit_log WHERE target_id = m.id) AS audits,
         (SELECT count(*)::int FROM messages WHERE channel = 'platform' AND entity_id = m.id) AS events
       FROM members m ORDER BY id`,
    )
  const rows = await stands()
  expect(rows).toHaveLength(61)
  for (const { banned, audits, events } of rows)
    expect([banned, audits, events]).toEqual(banned ? [true, 1, 1] : [false, 0, 0])
  const banned = new Set(rows.filter((row) => row.banned).map(({ id }) => id))
  expect([...answered].filter((id) => !banned.has(id))).toEqual([])
  expect(banned.size).toBeLessThan(61)
  const ada = server.as(null)
  const list = await ada('GET', '/api/users?kycBanned=true&limit=1', undefined, { cookie })
  expect(list.json()).toMatchObject({ total: banned.size })

  for (const { id } of rows) {
    const again = await ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' }, { cookie })
    expect(again.statusCode).toBe(banned.has(id) ? 409 : 200)
  }
  for (const row of await stands()) expect(row).toMatchObject({ banned: true, audits: 1, events: 1 })
})
