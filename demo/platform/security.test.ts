import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'
import { makeSecurityEvents } from './security.ts'

const server = await startServer()
const instant = new Date(Date.now() - 60_000).toISOString()

test('demo security events come from failed sign-ins and lock nobody out (product 3.6, 13.4)', async () => {
  await makeSecurityEvents(server.system, instant)
  await makeSecurityEvents(server.system, instant)
  expect(
    await server.sql(`
      SELECT event_type, severity, count(*)::int AS n, count(resolved_at)::int AS resolved FROM security_events
      GROUP BY 1, 2 ORDER BY 1, 2`),
  ).toEqual([
    { event_type: 'sign_in_failed', severity: 'low', n: 55, resolved: 1 },
    { event_type: 'sign_in_failed', severity: 'medium', n: 3, resolved: 0 },
    { event_type: 'sign_in_locked', severity: 'critical', n: 1, resolved: 0 },
    { event_type: 'sign_in_locked', severity: 'high', n: 1, resolved: 0 },
  ])
  // They end where the demo's clock stands, in the order in which they were made, none twice moved.
  const [spread] = await server.sql<{ days: number; newest: Date; inOrder: boolean }>(`
    SELECT (extract(epoch FROM max(created_at) - min(created_at)) / 86400)::float8 AS days, max(created_at) AS newest,
      bool_and(created_at > before OR before IS NULL) AS "inOrder"
    FROM (SELECT created_at, lag(created_at) OVER (ORDER BY id) AS before FROM security_events) e`)
  expect([spread!.newest.toISOString(), spread!.inOrder]).toEqual([instant, true])
  expect(spread!.days).toBeCloseTo((59 * 43) / 1440, 3)
  expect(await server.sql('SELECT action, count(*)::int AS n FROM audit_log GROUP BY 1 ORDER BY 1')).toEqual([
    { action: 'login_failed', n: 58 },
    { action: 'resolve_event', n: 1 },
  ])
  // An admin whose name strangers tried signs in from an unknown device.
  const administrator = server.as('administrator')
  expect((await administrator('GET', '/api/security/figures')).json()).toMatchObject({ total: 60, unresolved: 59 })
  expect((await administrator('GET', '/api/notices')).json()).toMatchObject({
    notices: [{ kind: 'critical_events', count: 1 }],
  })
})

test('a fill that was cut short in the middle of it is brought to its critical event (product 13.4)', async () => {
  await server.sql(`DELETE FROM security_events WHERE severity = 'critical'`)
  await server.sql(`UPDATE sign_in_throttles SET failures = 30, locked_until = NULL WHERE key ~ '^account:[^:]+$'`)
  await server.sql(`UPDATE sign_in_throttles SET window_started_at = now() - interval '2 hours'`)
  await makeSecurityEvents(server.system, instant)
  expect(await server.sql(`SELECT count(*)::int AS n FROM security_events WHERE severity = 'critical'`)).toEqual([
    { n: 1 },
  ])
})
