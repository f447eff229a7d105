import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { AlarmRecord } from './records.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { startAlarmServer } from '#test/support/alarm-outputs.ts'
import { readFrames } from '#test/support/syslog-frames.ts'

const folder = await mkdtemp(join(tmpdir(), 'back-office-alarms-'))
const file = join(folder, 'alarms.jsonl')
const received: Buffer[] = []
const syslog = net.createServer((socket) => void socket.on('data', (chunk: Buffer) => received.push(chunk)))
syslog.listen(0, '127.0.0.1')
await once(syslog, 'listening')
const { server, collector, raise, write, seal, send, makeDue, readState } = await startAlarmServer({
  ALARMS_LOG: file,
  ALARMS_SYSLOG: `tcp://127.0.0.1:${(syslog.address() as AddressInfo).port}`,
})
const { system, services } = server
const admin = await createAdminCommand(server)
afterAll(async () => {
  syslog.close()
  await collector.close()
  await rm(folder, { recursive: true })
})
const readLines = async (path = file) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AlarmRecord)
for (const name of ['log', 'syslog', 'webhook'] as const) await send(system, name)

test('a file gets one line a record, and may be renamed at any time (product 6.10)', async () => {
  await raise('one', 'high', 'two\nlines \u009b31m')
  await send(system, 'log')
  expect((await readLines()).map(({ action, text }) => [action, text])).toEqual([['one', 'two?lines ?31m']])
  await rename(file, `${file}.1`)
  await write('m-1')
  await seal()
  await send(system, 'log')
  expect((await readLines()).map(({ target }) => target?.id)).toContain('m-1')
})

test('a file that cannot be written keeps the records waiting, with the reason', async () => {
  const alarms = { ...services.config.alarms, log: join(folder, 'nowhere', 'alarms.jsonl') }
  await raise('waits')
  await send({ ...system, config: { ...services.config, alarms } }, 'log')
  expect(await readState('log')).toMatchObject({ failures: 1, problem: 'Could not write to the file (ENOENT)' })
  await makeDue()
  await send(system, 'log')
  expect((await readLines()).at(-1)!.action).toBe('waits')
})

test('standard output gets the same lines', async () => {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((text: string, done: () => void) => {
    lines.push(text)
    done()
    return true
  }) as typeof process.stdout.write)
  onTestFinished(() => write.mockRestore())
  await raise('printed')
  await send({ ...system, config: { ...services.config, alarms: { ...services.config.alarms, log: 'stdout' } } }, 'log')
  expect(lines.map((line) => (JSON.parse(line) as AlarmRecord).action)).toEqual(['printed'])
  expect(lines[0]!.endsWith('}\n')).toBe(true)
})

test('syslog gets facility, severity and structured data of each record (product 6.10)', async () => {
  await send(system, 'syslog')
  received.length = 0
  await raise('locked', 'critical', 'Locked: "x]\\')
  await write('m-2')
  await server.as('ada')('GET', '/api/auth/user')
  await server.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username: 'ada', password: 'wrong' } })
  await seal()
  await send(system, 'syslog')
  const messages = readFrames(Buffer.concat(received))
  const find = (action: string) => messages.find(({ data }) => data['action'] === action)
  expect(find('locked')).toMatchObject({
    facility: 10,
    severity: 2,
    application: 'back-office',
    messageId: 'security_event',
    element: 'backOffice@32473',
    text: 'Locked: "x]\\',
  })
  expect(find('ban_user')).toMatchObject({
    facility: 13,
    severity: 6,
    messageId: 'audit',
    data: { targetType: 'user', targetId: 'm-2', actorName: 'tests', outcome: 'success' },
    text: 'tests ban_user user m-2',
  })
  expect(find('login_failed')).toMatchObject({ severity: 5, data: { outcome: 'failure', address: '127.0.0.1' } })
})

test('the screen and the command say what waits and since when an output fails (product 5.12)', async () => {
  await Promise.all((['webhook', 'log', 'syslog'] as const).map((name) => send(system, name)))
  collector.answer = (response) => void response.writeHead(500).end()
  await raise('unsent')
  await send()
  const { alarms } = (await server.as('ada')('GET', '/api/security/integrity')).json()
  expect(alarms).toMatchObject([
    { output: 'webhook', waiting: expect.any(Number), failingSince: expect.any(String), problem: 'HTTP 500' },
    { output: 'log', failingSince: null },
    { output: 'syslog', failingSince: null, problem: null },
  ])
  expect(alarms[0].waiting).toBeGreaterThan(0)
  const { ALARMS_URL = collector.url, ALARMS_SECRET = collector.secret } = {}
  const { out } = await admin(['alarms', 'status'], { environment: { ALARMS_URL, ALARMS_SECRET } })
  expect(out).toMatch(/^output {2,}waiting .*\nwebhook {2,}\d+ .*HTTP 500\n$/)
})

test('an output that fails for more than five minutes is a notice (product 3.6)', async () => {
  const notices = async () => (await server.as('ada')('GET', '/api/notices')).json().notices
  await server.sql(`UPDATE alarm_outputs SET failing_since = NULL, next_try_at = NULL`)
  await server.sql(`UPDATE alarm_outputs SET failing_since = now() - interval '4 minutes' WHERE name = 'log'`)
  expect(await notices()).not.toContainEqual(expect.objectContaining({ kind: 'alarms_failing' }))
  await server.sql(`UPDATE alarm_outputs SET failing_since = now() - interval '6 minutes' WHERE name = 'log'`)
  expect(await notices()).toContainEqual({ kind: 'alarms_failing', count: 1 })
})
