import type { NamedChange } from './crash-bank.ts'
import { type Change, type Console, type CrashTools } from './crash-test.ts'
import { computeAlertCodes } from '#server/core/alert-code.ts'
import { createSession, type TestServer } from './server.ts'

/** The changes of an operator's alerts, to be killed at each statement. */
export function createAlertChanges(server: TestServer, { crashAtEachStatement, makeAdmin }: CrashTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  const sentAt = '2126-01-05T09:00:00.000Z'
  const waitingEmail = 'ada@example.com'
  /** An operator who gets alerts, with a session; `columns` are of where they go. */
  async function makeRecipient(columns: Record<string, string> = {}) {
    const username = await makeAdmin()
    const cookie = await createSession(server, username)
    const [row] = await server.sql<{ id: string }>('SELECT id::text FROM admins WHERE username = $1', [username])
    await server.sql(
      `INSERT INTO alert_recipients SELECT * FROM jsonb_populate_record(
      (SELECT r FROM (SELECT 0::bigint AS admin_id) AS none LEFT JOIN alert_recipients AS r ON false), $1)`,
      [{ admin_id: row!.id, code_failures: 0, digest_hour: 8, version: 1, ...columns }],
    )
    return { cookie, adminId: row!.id }
  }
  const call = ({ app }: Console, method: 'PUT' | 'POST' | 'DELETE', path: string, cookie: string, payload?: object) =>
    app.inject({ method, url: `/api/account/alerts${path}`, headers: { cookie }, ...(payload && { payload }) })
  const makeWaiting = () => makeRecipient({ waiting_email: waitingEmail, code_sent_at: sentAt })
  const chat = { chat_url: 'https://chat.example.com/hook' }
  return [
    [
      'the choice of alerts',
      'PUT /api/account/alerts',
      change({
        make: () => makeRecipient(),
        act: (console, { cookie }) =>
          call(console, 'PUT', '', cookie, {
            choices: [{ kind: 'critical_events', email: 'at_once', chat: 'digest' }],
            digestHour: 7,
            timeZone: 'UTC',
          }),
      }),
    ],
    [
      'an e-mail address for alerts, with its code',
      'PUT /api/account/alerts/email',
      change({
        make: () => makeRecipient(),
        act: (console, { cookie }) => call(console, 'PUT', '/email', cookie, { address: waitingEmail }),
        statusAgain: 429,
      }),
    ],
    [
      'the confirmation of an e-mail address',
      'POST /api/account/alerts/email/confirm',
      change({
        make: makeWaiting,
        act: (console, { cookie, adminId }) =>
          call(console, 'POST', '/email/confirm', cookie, {
            code: computeAlertCodes(server.services, { adminId, address: waitingEmail, sentAt })[0],
          }),
        statusAgain: 400,
      }),
    ],
    [
      'a chat for alerts',
      'PUT /api/account/alerts/chat',
      change({
        make: () => makeRecipient(),
        act: (console, { cookie }) => call(console, 'PUT', '/chat', cookie, { url: chat.chat_url }),
      }),
    ],
    [
      'the end of a chat for alerts',
      'DELETE /api/account/alerts/:output',
      change({
        make: () => makeRecipient(chat),
        act: (console, { cookie }) => call(console, 'DELETE', '/chat', cookie),
      }),
    ],
    [
      'a test of alerts',
      'POST /api/account/alerts/:output/test',
      change({
        make: () => makeRecipient(chat),
        act: (console, { cookie }) => call(console, 'POST', '/chat/test', cookie),
        statusAgain: 429,
      }),
    ],
  ]
}
