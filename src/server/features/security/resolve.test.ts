import { describe, expect, test } from 'vitest'
import type { SecurityEvent, SecurityFigures } from '#contract/schemas/security.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { foldListCounts } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const bea = server.as('bea')
await Promise.all([ada('GET', '/api/auth/user'), bea('GET', '/api/auth/user')])
await server.sql('DELETE FROM security_events')

async function raise(severity: 'critical' | 'high' | 'medium' | 'low' = 'high') {
  await server.services.database.transaction((tx) =>
    raiseSecurityEvent(
      tx,
      { ipAddress: '192.0.2.1' },
      { severity, type: 'sign_in_locked', description: 'Sign-in as ada is locked' },
    ),
  )
  const [row] = await server.sql<{ id: string }>('SELECT max(id)::text AS id FROM security_events')
  return row!.id
}
const resolve = (id: string, body?: unknown, headers?: Record<string, string>, as = ada) =>
  as('POST', `/api/security/events/${id}/resolve`, body, headers)
const stored = async (id: string) => (await server.sql('SELECT * FROM security_events WHERE id = $1', [id]))[0]
const audits = (id: string) =>
  server.sql(
    `SELECT a.*, a.details || coalesce(p.details, '{}') AS details
    FROM audit_log AS a LEFT JOIN audit_personal AS p ON p.audit_id = a.id
    WHERE target_type = 'security_event' AND target_id = $1`,
    [id],
  )

describe('POST /api/security/events/:id/resolve', () => {
  test('resolves with a note, author and time in the event and the log (product 6.10, 6.9)', async () => {
    const id = await raise()
    const reply = await resolve(id, { note: '  A colleague on holiday  ' }, { 'if-match': '"1"' })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json()).toEqual({
      message: 'Security event resolved',
      event: {
        id,
        severity: 'high',
        eventType: 'sign_in_locked',
        description: 'Sign-in as ada is locked',
        ipAddress: '192.0.2.1',
        resolved: true,
        resolvedBy: 'ada',
        resolvedAt: expect.stringMatching(/Z$/),
        resolutionNote: 'A colleague on holiday',
        createdAt: expect.stringMatching(/Z$/),
        version: 2,
      },
      resolved: 1,
    })
    expect(await stored(id)).toMatchObject({ resolved_by: 'ada', resolution_note: 'A colleague on holiday' })
    expect(await audits(id)).toMatchObject([
      {
        action: 'resolve_event',
        actor_name: 'ada',
        ip_address: '127.0.0.1',
        details: {
          eventType: 'sign_in_locked',
          severity: 'high',
          before: { resolved: false, resolutionNote: null },
          after: { resolved: true, resolutionNote: 'A colleague on holiday' },
        },
      },
    ])
  })

  test('the note may be left out, empty or null (product 6.10)', async () => {
    for (const body of [undefined, {}, { note: '  ' }, { note: null }]) {
      const reply = await resolve(await raise('low'), body)
      expect([reply.statusCode, reply.json().event.resolutionNote]).toEqual([200, null])
    }
  })

  test('an event that is resolved already is 409, naming who resolved it and when (product 8.5)', async () => {
    const id = await raise()
    await resolve(id, { note: 'first' })
    const reply = await resolve(id, { note: 'second' }, {}, bea)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'already_resolved'])
    expect(reply.json().message).toMatch(
      /^This event is already resolved \(set by ada on \w{3} \d\d, \d{4} at \d\d:\d\d UTC\)$/,
    )
    expect(await stored(id)).toMatchObject({ resolved_by: 'ada', resolution_note: 'first', version: 2 })
    expect(await audits(id)).toHaveLength(1)
  })

  test('of eight simultaneous resolutions exactly one wins, and one is in the log', async () => {
    const id = await raise('medium')
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => resolve(id, { note: `${at}` }, {}, at % 2 ? ada : bea)),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
    expect(await audits(id)).toHaveLength(1)
  })

  test('a version the event does not have is 409 and changes nothing (product 8.4)', async () => {
    const id = await raise()
    const reply = await resolve(id, {}, { 'if-match': '"7"' })
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'stale'])
    expect(await stored(id)).toMatchObject({ resolved_at: null, version: 1 })
  })

  test.each([
    ['an unknown event is 404', '999999999', {}, 404, 'not found'],
    ['an id that is not a number is 400', 'x', {}, 400, 'id'],
    ['a note that is not text is 400', '1', { note: 7 }, 400, 'note'],
    ['a note too long is 400', '1', { note: 'x'.repeat(1001) }, 400, 'note'],
    ['an unknown field is 400', '1', { notes: '' }, 400, 'notes'],
  ])('%s (product 8.5)', async (_what, id, body, status, word) => {
    const reply = await resolve(id, body)
    expect([reply.statusCode, reply.json().message]).toEqual([status, expect.stringContaining(word)])
  })
})

describe('GET /api/security/figures', () => {
  const figures = async () => (await ada('GET', '/api/security/figures')).json<SecurityFigures>()
  const counted = async () =>
    (
      await server.sql<{ [Name in keyof SecurityFigures]: number }>(`
        SELECT count(*)::int AS total, count(*) FILTER (WHERE severity = 'critical')::int AS critical,
          count(*) FILTER (WHERE severity = 'high')::int AS high,
          count(*) FILTER (WHERE resolved_at IS NULL)::int AS unresolved FROM security_events`)
    )[0]

  test('the four figures are exact over the whole table, folded or not (product 5.12, 5.2)', async () => {
    await server.sql(`
      INSERT INTO security_events (severity, event_type, description, created_at)
      SELECT (ARRAY['critical', 'high', 'medium', 'low'])[1 + n % 4], 'bulk', 'x', now() - n * interval '5 minutes'
      FROM generate_series(1, 6000) n`)
    expect(await figures()).toEqual(await counted())
    await foldListCounts(server)
    expect(await figures()).toEqual(await counted())
    await resolve(await raise('critical'))
    await server.sql(`UPDATE security_events SET resolved_at = now() WHERE id % 5 = 0`)
    await server.sql(`DELETE FROM security_events WHERE id % 7 = 0`)
    expect(await figures()).toEqual(await counted())
    await foldListCounts(server)
    expect(await figures()).toEqual(await counted())
  })

  test('lists keep exact totals and pages, deep ones too, with and without filters (product 8.2)', async () => {
    for (const [query, condition] of [
      ['', 'true'],
      ['resolved=false', 'resolved_at IS NULL'],
      ['severity=critical&resolved=false', `severity = 'critical' AND resolved_at IS NULL`],
      ['severity=low&resolved=true', `severity = 'low' AND resolved_at IS NOT NULL`],
    ] as const) {
      const rows = await server.sql<{ id: string }>(
        `SELECT id::text FROM security_events WHERE ${condition} ORDER BY created_at DESC, id DESC`,
      )
      for (const page of [1, 2, Math.ceil(rows.length / 50)]) {
        const reply = await ada('GET', `/api/security/events?${query}&page=${page}`)
        const { events, total } = reply.json<{ events: SecurityEvent[]; total: number }>()
        expect(total).toBe(rows.length)
        expect(events.map(({ id }) => id)).toEqual(rows.slice((page - 1) * 50, page * 50).map(({ id }) => id))
      }
    }
  })

  test('the log of actions keeps its exact totals through folding (product 8.2)', async () => {
    const total = async (query: string) => (await ada('GET', `/api/admin/logs?${query}`)).json().total as number
    const before = [await total(''), await total('action=login'), await total('action=resolve_event')]
    await foldListCounts(server)
    expect([await total(''), await total('action=login'), await total('action=resolve_event')]).toEqual(before)
    const [row] = await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_log')
    expect(before[0]).toBe(row!.n)
  })
})
