import { expect, test } from 'vitest'
import { startServer } from '#test/server.ts'
import { makeSecurityEvents } from './security.ts'

const server = await startServer()

test('PRODUCT 6: security events come from failed sign-ins, lock nobody out, and are made once', async () => {
  await makeSecurityEvents(server.system)
  await makeSecurityEvents(server.system)
  expect(
    await server.sql(`
      SELECT event_type, severity, count(*)::int AS n, count(resolved_at)::int AS resolved FROM security_events
      GROUP BY 1, 2 ORDER BY 1, 2`),
  ).toEqual([
    { event_type: 'sign_in_failed', severity: 'low', n: 5, resolved: 1 },
    { event_type: 'sign_in_failed', severity: 'medium', n: 3, resolved: 0 },
    { event_type: 'sign_in_locked', severity: 'high', n: 1, resolved: 0 },
  ])
  expect(await server.sql('SELECT action, count(*)::int AS n FROM audit_log GROUP BY 1 ORDER BY 1')).toEqual([
    { action: 'login_failed', n: 8 },
    { action: 'resolve_event', n: 1 },
  ])
  expect((await server.as('admin')('GET', '/api/security/figures')).json()).toMatchObject({ total: 9, unresolved: 8 })
})
