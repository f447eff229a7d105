import type { NamedChange } from './crash-bank.ts'
import { type Change, type CrashTools } from './crash-test.ts'
import { createSession, type TestServer } from './server.ts'

/** The changes of operators, to be killed at each statement. */
export function createOperatorChanges(
  server: TestServer,
  { crashAtEachStatement, makeAdmin }: CrashTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  /** An operator with a session. */
  async function makeOperator() {
    const username = await makeAdmin()
    await createSession(server, username)
    const [row] = await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [username])
    return row!.id
  }
  async function makeDisabled() {
    const id = await makeOperator()
    await server.sql('UPDATE admins SET disabled_at = now() WHERE id = $1', [id])
    return id
  }
  async function makeWithFactor() {
    const id = await makeOperator()
    await server.sql(
      `INSERT INTO admin_factors (admin_id, kind, name, secret_enc, key_id, last_step) VALUES ($1, 'totp', 'Phone', '', '', 0)`,
      [id],
    )
    return id
  }
  async function makeInvited() {
    const id = await makeOperator()
    await server.sql('UPDATE admins SET password_hash = NULL WHERE id = $1', [id])
    return id
  }
  const reason = { reason: 'Has left the company' }
  return [
    [
      'an invitation',
      'POST /api/operators',
      change({
        // One name for all, so that the rows of one change are those of the next. There can be a hundred operators.
        make: () => server.sql(`DELETE FROM admins WHERE username <> 'ada'`),
        act: ({ call }) => call('POST', '/api/operators', { username: 'vera', role: 'viewer' }),
        statusAgain: 409,
      }),
    ],
    [
      'another invitation',
      'POST /api/operators/:id/invitation',
      change({ make: makeInvited, act: ({ call }, id) => call('POST', `/api/operators/${id}/invitation`) }),
    ],
    [
      'another role',
      'PATCH /api/operators/:id/role',
      change({
        make: makeOperator,
        act: ({ call }, id) => call('PATCH', `/api/operators/${id}/role`, { role: 'finance' }),
        statusAgain: 409,
      }),
    ],
    [
      'the end of an operator’s access',
      'POST /api/operators/:id/disable',
      change({
        make: makeOperator,
        act: ({ call }, id) => call('POST', `/api/operators/${id}/disable`, reason),
        statusAgain: 409,
      }),
    ],
    [
      'an operator’s access again',
      'POST /api/operators/:id/enable',
      change({
        make: makeDisabled,
        act: ({ call }, id) => call('POST', `/api/operators/${id}/enable`, { reason: 'Is back' }),
        statusAgain: 409,
      }),
    ],
    [
      'the end of an operator’s factors',
      'POST /api/operators/:id/reset-factors',
      change({
        make: makeWithFactor,
        act: ({ call }, id) => call('POST', `/api/operators/${id}/reset-factors`, reason),
        statusAgain: 409,
      }),
    ],
    [
      'the end of an operator’s sessions',
      'DELETE /api/operators/:id/sessions',
      change({ make: makeOperator, act: ({ call }, id) => call('DELETE', `/api/operators/${id}/sessions`) }),
    ],
  ]
}
