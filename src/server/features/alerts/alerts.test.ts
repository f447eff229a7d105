import { beforeEach, expect, test } from 'vitest'
import { startAlertServer } from '#test/support/alerts.ts'
import { endLeases } from '#test/support/leases.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'

const { server, mail, chat, write, send, read, confirmAddress, choose, raise, resolveAll, pass } =
  await startAlertServer()
const ada = server.as('ada')
await confirmAddress('ada', 'ada@example.com')
await ada('PUT', '/api/account/alerts/chat', { url: chat.url })

const critical = (email: string, inChat = 'off') => ({ kind: 'critical_events', email, chat: inChat })
const subjects = () => mail.mails.map((each) => each.header('subject'))
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

beforeEach(async () => {
  await resolveAll()
  await server.sql('DELETE FROM alert_choices')
  await server.sql(`DELETE FROM messages WHERE channel IN ('email', 'chat')`)
  mail.mails.length = 0
  chat.texts.length = 0
  mail.state.behaviour = 'accept'
  chat.state.status = 200
})

test('what waited before it was chosen is not told', async () => {
  await raise(2)
  await choose('ada', [critical('at_once')])
  await write()
  await write()
  await send()
  expect(mail.mails).toEqual([])
})

test('a count that grows is one e-mail to the confirmed address (product 3.10)', async () => {
  await choose('ada', [critical('at_once')])
  await write()
  await raise(3)
  await write()
  await write()
  await send()
  expect(subjects()).toEqual(['3 unresolved critical events'])
  const [only] = mail.mails
  expect(only).toMatchObject({ from: 'console@example.com', to: ['ada@example.com'], isEncrypted: true })
  expect(only!.user).toBe('console@example.com')
  expect(only!.header('from')).toBe('Back Office <console@example.com>')
})

test('an e-mail has counts and links, and nothing of what it is about (product 3.10)', async () => {
  await choose('ada', [critical('at_once', 'at_once')])
  await write()
  await raise()
  await write()
  await send()
  const { origin } = server.services.config.publicUrl
  const { raw, header } = mail.mails[0]!
  expect(raw).toContain(`Security Logs: ${origin}/security?status=critical`)
  expect(raw).toContain('text/html')
  expect(header('list-unsubscribe')).toBe(`<${origin}/account>`)
  expect(header('auto-submitted')).toBe('auto-generated')
  expect(raw + chat.texts.join()).not.toMatch(/Zoe|failed/)
  expect(chat.texts).toEqual([
    `This waits in the console:\n• 1 unresolved critical event: ${origin}/security?status=critical`,
  ])
})

test('growth within a quarter of an hour is told together afterwards', async () => {
  await choose('ada', [critical('at_once')])
  await write()
  await raise()
  await write()
  await raise()
  await write()
  await raise()
  await write()
  await send()
  expect(subjects()).toEqual(['1 unresolved critical event'])
  await pass(15)
  await write()
  await write()
  await send()
  expect(subjects()).toEqual(['1 unresolved critical event', '3 unresolved critical events'])
})

test('a count that falls is not told, and its next growth is', async () => {
  await choose('ada', [critical('at_once')])
  await raise(2)
  await write()
  await resolveAll()
  await write()
  await raise()
  await write()
  await send()
  expect(subjects()).toEqual(['1 unresolved critical event'])
})

test('several notices that grow are one message, in the order of the bell', async () => {
  const { id } = await makeMember(server)
  await choose('ada', [{ kind: 'expiring_orders', email: 'at_once', chat: 'off' }, critical('at_once')])
  await write()
  await makeOrder(server, id, { expiresAt: inHours(2) })
  await raise(2)
  await write()
  await send()
  expect(subjects()).toEqual(['2 unresolved critical events, and 1 more'])
  expect(mail.mails[0]!.raw).toContain('1 order expires within 24 hours')
})

test('of several servers one writes', async () => {
  await choose('ada', [critical('at_once', 'digest')])
  await write()
  await raise()
  await server.sql(`UPDATE alert_recipients SET digest_on = '2026-01-01', digest_hour = 0`)
  await Promise.all([write(), write(), write()])
  await endLeases(server)
  await write()
  await send()
  expect(subjects()).toHaveLength(1)
  expect(chat.texts).toHaveLength(1)
})

test('the digest comes once a morning, and after days of standstill once', async () => {
  await choose('ada', [critical('digest', 'digest')], { digestHour: 0 })
  await raise(2)
  await write()
  await send()
  expect([...subjects(), ...chat.texts]).toEqual([])
  await server.sql(`UPDATE alert_recipients SET digest_on = digest_on - 5`)
  await write()
  await write()
  await send()
  expect(subjects()).toEqual(['This morning: 2 unresolved critical events'])
  expect(chat.texts).toHaveLength(1)
})

test('a digest of nothing is not sent', async () => {
  await choose('ada', [critical('digest')], { digestHour: 0 })
  await server.sql(`UPDATE alert_recipients SET digest_on = digest_on - 1`)
  await write()
  await send()
  expect(mail.mails).toEqual([])
})

test('digests chosen in the afternoon begin the next morning', async () => {
  await choose('ada', [critical('digest')], { digestHour: 0, timeZone: 'Pacific/Kiritimati' })
  await raise()
  await write()
  await send()
  expect(mail.mails).toEqual([])
})

test('the hour of a digest is that of the operator’s zone', async () => {
  const clock = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(new Date()))
  const zone = 'Asia/Kathmandu'
  const hour = clock(zone)
  // An hour that has come there today, and one that has not, where the day has such hours.
  await choose('ada', [critical('digest')], { digestHour: Math.min(hour + 1, 23), timeZone: zone })
  await raise()
  await server.sql(`UPDATE alert_recipients SET digest_on = '2026-01-01'`)
  await write()
  await send()
  expect(mail.mails).toHaveLength(hour === 23 ? 1 : 0)
  await server.sql(`UPDATE alert_recipients SET digest_on = '2026-01-01', digest_hour = $1`, [hour])
  await write()
  await send()
  expect(mail.mails).toHaveLength(hour === 23 ? 2 : 1)
})

test('a disabled operator gets not even what was written before (product 3.10)', async () => {
  await server.addOperator('dora', 'super_admin')
  await confirmAddress('dora', 'dora@example.com')
  mail.mails.length = 0
  await choose('dora', [critical('at_once')])
  await write()
  await raise()
  await write()
  await server.sql(`UPDATE admins SET disabled_at = now() WHERE username = 'dora'`)
  await send()
  await raise(5)
  await pass(20)
  await write()
  await send()
  expect(mail.mails).toEqual([])
})

test('a role that lost a notice gets no alert of it (product 3.10)', async () => {
  await server.addOperator('fay', 'super_admin')
  await confirmAddress('fay', 'fay@example.com')
  mail.mails.length = 0
  await choose('fay', [critical('at_once')])
  await write()
  await raise()
  await write()
  await server.sql(`UPDATE admins SET role = 'finance' WHERE username = 'fay'`)
  await send()
  expect(mail.mails).toEqual([])
  expect((await read('fay')).choices.map(({ kind }) => kind)).not.toContain('critical_events')
  const refused = await server.as('fay')('PUT', '/api/account/alerts', {
    choices: [critical('at_once')],
    digestHour: 8,
    timeZone: 'UTC',
  })
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
})
