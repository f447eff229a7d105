import { createAlertChanges } from './crash-alerts.ts'
import type { NamedChange } from './crash-bank.ts'
import { type Change, type Console, type CrashTools } from './crash-test.ts'
import { createSession, password, type TestServer } from './server.ts'

/** The changes of an own account, to be killed at each statement. */
export function createAccountChanges(
  server: TestServer,
  { crashAtEachStatement, makeAdmin }: CrashTools,
): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  /** An admin with a second session. */
  async function makeAccount() {
    const username = await makeAdmin()
    const [cookie] = [await createSession(server, username), await createSession(server, username)]
    const [other] = await server.sql<{ id: string }>('SELECT max(id)::text AS id FROM sessions')
    return { cookie, otherId: other!.id }
  }
  const changePassword = async ({ app }: Console, cookie: string, currentPassword: string) => {
    // One that died half-way may count; the next would say so.
    await server.sql('DELETE FROM sign_in_throttles')
    const payload = { currentPassword, newPassword: 'a walk along the river at dusk' }
    return app.inject({ method: 'POST', url: '/api/account/password', headers: { cookie }, payload })
  }
  return [
    [
      'the end of another session',
      'DELETE /api/account/sessions/:id',
      change({
        make: makeAccount,
        act: ({ app }, { cookie, otherId }) =>
          app.inject({ method: 'DELETE', url: `/api/account/sessions/${otherId}`, headers: { cookie } }),
        statusAgain: 404,
      }),
    ],
    [
      'the end of all other sessions',
      'DELETE /api/account/sessions',
      change({
        make: makeAccount,
        act: ({ app }, { cookie }) =>
          app.inject({ method: 'DELETE', url: '/api/account/sessions', headers: { cookie } }),
      }),
    ],
    [
      'a new password of the own account',
      'POST /api/account/password',
      change({
        make: makeAccount,
        act: (console, { cookie }) => changePassword(console, cookie, password),
        // The session goes on with another token.
        statusAgain: 401,
      }),
    ],
    [
      'a new password that was refused',
      'POST /api/account/password',
      change({ make: makeAccount, act: (console, { cookie }) => changePassword(console, cookie, 'not this one') }),
    ],
    [
      'a choice of columns',
      'PUT /api/account/columns/:list',
      change({
        make: makeAccount,
        act: ({ app }, { cookie }) =>
          app.inject({
            method: 'PUT',
            url: '/api/account/columns/orders',
            headers: { cookie },
            payload: { order: ['status'], hidden: [], isCompact: true },
          }),
      }),
    ],
    ...createAlertChanges(server, { crashAtEachStatement, makeAdmin }),
  ]
}
