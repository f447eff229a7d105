import { beforeEach, expect, test } from 'vitest'
import type { Message, MessageDetail } from '#contract/schemas/messages.ts'
import type { Notice } from '#contract/schemas/notices.ts'
import { startAlertServer } from '#test/support/alerts.ts'
import { mailPassword, mailUser } from '#test/support/fakes/mail-server.ts'
import { password, startServer } from '#test/support/server.ts'

const { server, mail, chat, write, send, read, readCode, confirmAddress, choose, raise } = await startAlertServer()
const ada = server.as('ada')
const address = 'ada@example.com'

/** As if what was sent was sent long ago. */
const age = (interval: string) =>
  server.sql(`UPDATE messages SET created_at = created_at - $1::interval WHERE channel IN ('email', 'chat')`, [
    interval,
  ])
const askForCode = (to = address) => ada('PUT', '/api/account/alerts/email', { address: to })
const enter = (code: string) => ada('POST', '/api/account/alerts/email/confirm', { code })
const another = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')
const alerts = async () => (await ada('GET', '/api/messages?kind=alert')).json<{ messages: Message[] }>().messages

beforeEach(async () => {
  await server.sql('DELETE FROM alert_choices; DELETE FROM alert_recipients')
  await server.sql(`DELETE FROM messages WHERE channel IN ('email', 'chat')`)
  mail.mails.length = 0
  mail.state.behaviour = 'accept'
  chat.texts.length = 0
  chat.state.status = 200
})

test('an operator without addresses reads what there is to choose', async () => {
  expect(await read('ada')).toMatchObject({
    email: { isSet: true, address: null, waitingAddress: null, lastSentAt: null, failingSince: null },
    chat: { host: null },
    timeZone: null,
    digestHour: 8,
  })
  expect((await read('ada')).choices.every(({ email, chat: inChat }) => email === 'off' && inChat === 'off')).toBe(true)
  expect((await server.as(null)('GET', '/api/account/alerts')).statusCode).toBe(401)
})

test('an address gets its code, and nothing else before the code was entered', async () => {
  await askForCode()
  await choose('ada', [{ kind: 'critical_events', email: 'at_once', chat: 'off' }])
  await write()
  await raise()
  await write()
  await send()
  expect(mail.mails.map((each) => each.header('subject'))).toEqual(['Your code for alerts by e-mail'])
  expect((await ada('POST', '/api/account/alerts/email/test')).json().code).toBe('alerts_unset')
  expect((await enter(readCode())).json().alerts.email).toMatchObject({ address, waitingAddress: null })
  expect((await enter(readCode())).statusCode).toBe(400)
})

test('after five wrong codes the right one counts no more', async () => {
  await askForCode()
  await send()
  const code = readCode()
  for (let tries = 0; tries < 5; tries++) expect((await enter(another(code))).statusCode).toBe(400)
  expect((await enter(code)).json()).toMatchObject({ code: 'invalid', details: [{ field: 'code' }] })
  expect((await read('ada')).email.address).toBeNull()
})

test('a code counts for a quarter of an hour', async () => {
  await askForCode()
  await send()
  await server.sql(`UPDATE alert_recipients SET code_sent_at = code_sent_at - interval '15 minutes'`)
  expect((await enter(readCode())).statusCode).toBe(400)
})

test('the confirmed address stays in use until another one is confirmed', async () => {
  await confirmAddress('ada', address)
  await age('2 minutes')
  await askForCode('new@example.com')
  await send()
  await ada('POST', '/api/account/alerts/email/test')
  await send()
  expect(mail.mails.map(({ to }) => to[0])).toEqual([address, 'new@example.com', address])
})

test('codes and tests are limited, so that nobody fills a mailbox from here', async () => {
  await askForCode()
  expect((await askForCode('b@example.com')).statusCode).toBe(429)
  for (let turn = 0; turn < 9; turn++) {
    await age('2 minutes')
    expect((await askForCode()).statusCode).toBe(200)
  }
  await age('2 minutes')
  const refused = await askForCode()
  expect([refused.statusCode, refused.json().error ?? refused.json().message]).toEqual([
    429,
    expect.stringContaining('10 codes'),
  ])
})

test('no table and no log has a code, and no audit row an address', async () => {
  await askForCode()
  await send()
  const code = readCode()
  const [only] = await alerts()
  const detail = (await ada('GET', `/api/messages/${only!.id}`)).json<MessageDetail>()
  expect(detail.body).toContain('[redacted]')
  expect(JSON.stringify(detail)).not.toContain(code)
  const stored = await server.sql(
    `SELECT to_jsonb(m) AS row FROM messages m UNION ALL SELECT to_jsonb(r) FROM alert_recipients r`,
  )
  expect(JSON.stringify(stored)).not.toContain(code)
  expect(JSON.stringify(await server.sql('SELECT * FROM audit_log'))).not.toContain(address)
})

test('a test goes out by each output, and the log names its operator', async () => {
  await confirmAddress('ada', address)
  await ada('PUT', '/api/account/alerts/chat', { url: chat.url })
  for (const output of ['email', 'chat'])
    expect((await ada('POST', `/api/account/alerts/${output}/test`)).statusCode).toBe(200)
  expect((await ada('POST', '/api/account/alerts/chat/test')).statusCode).toBe(429)
  await send()
  expect(mail.mails.at(-1)!.header('subject')).toBe('A test of alerts by e-mail')
  expect(chat.texts).toEqual(['This is the test that you asked for. Alerts reach you here.'])
  const { email, chat: inChat } = await read('ada')
  expect([email.lastSentAt, inChat.lastSentAt]).toEqual([expect.any(String), expect.any(String)])
  expect(await alerts()).toMatchObject([
    { kind: 'alert', type: 'alert.test', operator: 'ada', state: 'delivered', lastStatus: 200 },
    { kind: 'alert', type: 'alert.test', operator: 'ada', state: 'delivered', lastStatus: null },
    { type: 'alert.code' },
  ])
  const all = await ada('GET', '/api/messages?kind=alert&state=delivered')
  expect(all.json().total).toBe(3)
})

test.each([
  ['refuse-recipient', /^The mail server answered 550/],
  ['refuse-user', /^The mail server answered 535/],
  ['dropping', /^The mail server ended the connection/],
] as const)('a mail server that does %s is said without address and password', async (behaviour, problem) => {
  await confirmAddress('ada', address)
  mail.state.behaviour = behaviour
  await ada('POST', '/api/account/alerts/email/test')
  await send()
  const { email } = await read('ada')
  expect(email.failingSince).not.toBeNull()
  expect(email.problem).toMatch(problem)
  const stored = JSON.stringify(await server.sql('SELECT * FROM message_attempts WHERE NOT success'))
  for (const secret of [address, mailUser, mailPassword]) expect(stored).not.toContain(secret)
  mail.state.behaviour = 'accept'
  await server.sql(`UPDATE messages SET next_try_at = now() - interval '1 second' WHERE state = 'waiting'`)
  await send()
  expect((await read('ada')).email).toMatchObject({ failingSince: null, problem: null })
})

test('a chat that refuses is said without the secret of its address', async () => {
  await ada('PUT', '/api/account/alerts/chat', { url: chat.url })
  chat.state.status = 404
  await ada('POST', '/api/account/alerts/chat/test')
  await send()
  expect((await read('ada')).chat).toMatchObject({ host: new URL(chat.url).host, problem: 'HTTP 404' })
  chat.state.status = 302
  await server.sql(`UPDATE messages SET next_try_at = now() - interval '1 second' WHERE state = 'waiting'`)
  await send()
  expect((await read('ada')).chat.problem).toBe('Refused redirect 302')
  const stored = JSON.stringify([
    await server.sql('SELECT * FROM message_attempts'),
    await server.sql('SELECT * FROM audit_log'),
    (await ada('GET', '/api/account/alerts')).json(),
  ])
  expect(stored).not.toContain('s3cr3t')
})

test('given up alerts are one notice, as many as their list (product 3.6)', async () => {
  await server.addOperator('vera', 'viewer')
  await ada('PUT', '/api/account/alerts/chat', { url: chat.url })
  chat.state.status = 500
  await choose('ada', [{ kind: 'critical_events', email: 'off', chat: 'at_once' }])
  await write()
  await raise()
  await write()
  for (let tries = 0; tries < 5; tries++) {
    await server.sql(`UPDATE messages SET next_try_at = now() - interval '1 second' WHERE state = 'waiting'`)
    await send()
  }
  const ofAda = (await ada('GET', '/api/notices')).json<{ notices: Notice[] }>().notices
  expect(ofAda).toContainEqual({ kind: 'failed_alerts', count: 1 })
  const given = (await ada('GET', '/api/messages?kind=alert&state=failed')).json()
  expect(given.total).toBe(1)
  const ofVera = (await server.as('vera')('GET', '/api/notices')).json<{ notices: Notice[] }>().notices
  expect(ofVera.map(({ kind }) => kind)).not.toContain('failed_alerts')
  chat.state.status = 200
  const resent = await ada('POST', '/api/messages/resend', { ids: [given.messages[0].id] })
  expect(resent.json()).toMatchObject({ queued: 1, skipped: 0 })
  await send()
  expect(chat.texts).toHaveLength(1)
})

test('an alert of which nobody knows for a day is dropped', async () => {
  await ada('PUT', '/api/account/alerts/chat', { url: chat.url })
  chat.state.status = 500
  await ada('POST', '/api/account/alerts/chat/test')
  await send()
  await age('1 day')
  await write()
  expect(await alerts()).toMatchObject([{ state: 'dropped', canResend: false }])
})

test('without an address nothing goes out any more', async () => {
  await confirmAddress('ada', address)
  await ada('POST', '/api/account/alerts/email/test')
  expect((await ada('DELETE', '/api/account/alerts/email')).json().alerts.email.address).toBeNull()
  mail.mails.length = 0
  await send()
  expect(mail.mails).toEqual([])
})

test('choices decided on an older version are refused', async () => {
  const body = { choices: [], digestHour: 7, timeZone: 'Europe/Berlin' }
  expect((await ada('PUT', '/api/account/alerts', body, { 'if-match': '"1"' })).statusCode).toBe(200)
  const late = await ada('PUT', '/api/account/alerts', body, { 'if-match': '"1"' })
  expect([late.statusCode, late.json().code]).toEqual([409, 'stale'])
  expect(await read('ada')).toMatchObject({ digestHour: 7, timeZone: 'Europe/Berlin', version: 2 })
})

test.each([
  ['http://chat.example.com/hook', /plain http/],
  ['https://10.0.0.5/hook', /is not public/],
  ['https://127.0.0.1/hook', /is not public/],
  ['ftp://chat.example.com', /must be an http or https address/],
])('a chat at %s is refused', async (url, problem) => {
  const strict = await strictConsole()
  const refused = await strict('PUT', '/api/account/alerts/chat', { url })
  expect(refused.statusCode).toBe(400)
  expect(refused.body).toMatch(problem)
})

let strict: ReturnType<typeof server.as> | undefined
/** A console without a mail server, which sends to public addresses alone. */
async function strictConsole() {
  strict ??= (await startServer()).as('ada')
  return strict
}

test('without a mail server no address can be set', async () => {
  const call = await strictConsole()
  const refused = await call('PUT', '/api/account/alerts/email', { address })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'alerts_unset'])
  expect((await call('GET', '/api/account/alerts')).json().email.isSet).toBe(false)
})

test.each([
  'a b@example.com',
  'ada@localhost',
  'ada@example.com, bob@example.com',
  'ada@example.com\nBcc: x@y.zz',
  '<ada@example.com>',
])('%j is not an e-mail address', async (bad) => {
  expect((await askForCode(bad)).statusCode).toBe(400)
})

test('an address wants a recent sign-in', async () => {
  await server.sql(`UPDATE sessions SET authenticated_at = now() - interval '16 minutes'`)
  expect((await askForCode()).json().code).toBe('step_up_required')
  expect((await ada('PUT', '/api/account/alerts/chat', { url: chat.url })).json().code).toBe('step_up_required')
  await ada('POST', '/api/auth/step-up', { method: 'password', password })
})
