import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { type Checkpoint, checkpointFile } from './checkpoints.ts'
import { sealAudit } from './seal.ts'

const receiver = await startFakeProvider()
afterAll(() => receiver.close())
const server = await startServer({ AUDIT_ANCHOR_URL: receiver.url, WEBHOOK_ALLOW_PRIVATE: 'on' })
const { system, services } = server
const admin = await createAdminCommand(server)
const environment = { DATA_DIR: services.config.dataDir }
const never = new AbortController().signal
/** As a server that has just started. */
let started = system
const seal = async () => {
  await settle(server)
  await sealAudit(started, never)
}
const write = (count: number) =>
  inTransaction(system, async (tx) => {
    for (let n = 0; n < count; n++)
      await audit(tx, system, { action: 'import', target: { type: 'user', id: `m-${n}` }, details: { n } })
  })
const received = () => receiver.calls.map(({ body }) => JSON.parse(body) as Checkpoint)
const readEvents = () =>
  server.sql<{ severity: string; description: string; details: unknown }>(
    "SELECT severity, description, details FROM security_events WHERE event_type = 'audit_anchor_failed'",
  )
const aMinuteLater = () => {
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
  onTestFinished(() => later.mockRestore())
}

beforeEach(async () => {
  receiver.answer = receiver.accept
  receiver.calls.length = 0
  await server.sql('DELETE FROM security_events')
  started = { ...system, config: { ...services.config } }
})

test('each checkpoint is posted to AUDIT_ANCHOR_URL as it stands in the file', async () => {
  await write(12)
  await seal()
  await write(100)
  await seal()
  const lines = (await readFile(checkpointFile(services.config), 'utf8')).trim().split('\n')
  expect(receiver.calls.map(({ body }) => body)).toEqual(lines)
  expect(receiver.calls[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
  expect(received().map(({ seq }) => seq)).toEqual(['12', '112'])
  expect(await readEvents()).toEqual([])
})

test('what the receiver has shows that the end of the log was cut off', async () => {
  await write(5)
  await seal()
  const copy = `${services.config.dataDir}/anchored.jsonl`
  await writeFile(copy, receiver.calls.map(({ body }) => `${body}\n`).join(''))
  const last = Number(received().at(-1)!.seq)
  await server.sql(`SET LOCAL session_replication_role = replica;
    DELETE FROM audit_log WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > ${last - 2});
    DELETE FROM audit_chain WHERE seq > ${last - 2}`)
  expect((await admin(['audit', 'verify'], { environment })).code).toBe(0)
  expect(await admin(['audit', 'verify', '--checkpoints', copy], { environment })).toMatchObject({
    code: 1,
    error: expect.stringContaining(`The first bad entry is ${last - 1}: the end of the chain was cut off`),
  })
})

test('a start posts the present end, though no row is new', async () => {
  await write(1)
  await seal()
  started = { ...system, config: { ...services.config } }
  await seal()
  const [first, second] = received()
  expect(second).toMatchObject({ seq: first!.seq, mac: first!.mac })
})

test('a checkpoint that was not taken is an event, and goes out a minute later', async () => {
  receiver.answer = (response) => void response.writeHead(500).end()
  await write(3)
  await seal()
  await seal()
  expect(receiver.calls).toHaveLength(1)
  const { host } = new URL(receiver.url)
  expect(await readEvents()).toEqual([
    {
      severity: 'medium',
      description: `${host} did not take a checkpoint of the audit log: HTTP 500`,
      details: { host, count: 1 },
    },
  ])
  receiver.answer = receiver.accept
  aMinuteLater()
  await seal()
  await seal()
  expect(received().map(({ seq }) => seq)).toEqual([received()[0]!.seq, received()[0]!.seq])
  expect(await readEvents()).toHaveLength(1)
})

test.each([
  ['a redirect', {}, 'Refused redirect 302'],
  ['a private address', { webhookAllowPrivate: false }, 'Address refused: 127.0.0.1 is not public'],
])('%s takes no checkpoint, and sealing goes on', async (_what, settings, problem) => {
  receiver.answer = (response) => void response.writeHead(302, { location: '/elsewhere' }).end()
  started = { ...system, config: { ...services.config, ...settings } }
  await write(3)
  await seal()
  expect((await readEvents())[0]!.description).toContain(problem)
  const [row] = await server.sql<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM audit_log a WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = a.id)',
  )
  expect(row!.waiting).toBe(0)
})
