import { expect, test } from 'vitest'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Severity } from '#contract/security.ts'
import { runJob } from '#test/support/jobs.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
await ada('GET', '/api/auth/user')
await server.sql('DELETE FROM security_events')

/** Raises so many equal events, and returns their ids, the oldest first. */
async function raise(
  count: number,
  description: string,
  { severity = 'low', type = 'login_failed' }: { severity?: Severity; type?: string } = {},
) {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    await server.services.database.transaction((tx) =>
      raiseSecurityEvent(tx, { ipAddress: `192.0.2.${n + 1}` }, { severity, type, description }),
    )
    const [row] = await server.sql<{ id: string }>('SELECT max(id)::text AS id FROM security_events')
    ids.push(row!.id)
  }
  return ids
}
const list = async (query: string) => (await ada('GET', `/api/security/events?resolved=false${query}`)).json()
const readResolved = (ids: readonly string[]) =>
  server.sql(
    'SELECT id::text, resolved_by, resolution_note FROM security_events WHERE id = ANY($1) AND resolved_at IS NOT NULL ORDER BY security_events.id',
    [ids],
  )

test('together stands the newest of equal unresolved events, with how many they are (product 5.12)', async () => {
  const failed = await raise(3, 'Failed sign-in as root')
  const other = await raise(1, 'Failed sign-in as admin')
  const high = await raise(2, 'Failed sign-in as root', { severity: 'high' })
  const moved = await raise(1, 'Failed sign-in as root', { type: 'other' })
  const { events, total } = await list('&together=true')
  expect(events.map(({ id, equal }: { id: string; equal: number }) => [id, equal])).toEqual([
    [moved[0], 1],
    [high[1], 2],
    [other[0], 1],
    [failed[2], 3],
  ])
  expect(total).toBe(4)
  expect((await list('&together=true&severity=low')).total).toBe(3)
  const each = await list('')
  expect([each.total, each.events[0].equal]).toEqual([7, undefined])
})

test('one call resolves equal events with one note, each with its audit row (product 6.10)', async () => {
  const ids = await raise(3, 'Failed sign-in as guest')
  const other = await raise(1, 'Failed sign-in as nobody')
  await ada('POST', `/api/security/events/${ids[1]}/resolve`, { note: 'Seen' })
  const reply = await ada(
    'POST',
    `/api/security/events/${ids[2]}/resolve`,
    { note: 'A scan', equal: true },
    { 'if-match': '"1"' },
  )
  expect(reply.json()).toMatchObject({ event: { id: ids[2], resolutionNote: 'A scan' }, resolved: 2 })
  expect((await readResolved([...ids, ...other])).map(({ resolution_note: note }) => note)).toEqual([
    'A scan',
    'Seen',
    'A scan',
  ])
  const audits = await server.sql(
    `SELECT target_id FROM audit_log WHERE action = 'resolve_event' AND target_id = ANY($1) ORDER BY target_id::int`,
    [ids],
  )
  expect(audits.map(({ target_id: id }) => id)).toEqual(ids)
})

test('low events that nobody resolved for seven days are resolved by the clock (product 6.10)', async () => {
  const [old, fresh] = [await raise(2, 'Old'), await raise(1, 'Fresh')]
  const high = await raise(1, 'High', { severity: 'high' })
  const age = (ids: readonly string[], days: number) =>
    server.sql(
      `UPDATE security_events SET created_at = now() - make_interval(days => $2, secs => 1) WHERE id = ANY($1)`,
      [ids, days],
    )
  await age([...old, ...high], 7)
  await age(fresh, 6)
  await runJob(server.services, 'close-low-events')
  const note = 'Low, and not resolved by anybody within 7 days.'
  expect(await readResolved([...old, ...fresh, ...high])).toEqual(
    old.map((id) => ({ id, resolved_by: 'system', resolution_note: note })),
  )
  // The note tells nobody, so no erasure has to look through its copies.
  const logged = await server.sql(
    `SELECT a.details->'after'->>'resolutionNote' AS note, p.details AS personal
     FROM audit_log AS a LEFT JOIN audit_personal AS p ON p.audit_id = a.id
     WHERE a.action = 'resolve_event' AND a.target_id = ANY($1)`,
    [old],
  )
  expect(logged).toEqual(old.map(() => ({ note, personal: null })))
})
