import { expect, test } from 'vitest'
import { startSecondServer } from '#test/support/second-server.ts'
import { startResultReceiver, url } from '#test/support/result-receiver.ts'
import { startServer } from '#test/support/server.ts'

const { server, nobody, signed, send, makeSubmitted, result } = await startResultReceiver()
const post = (from: string, app = server.app) =>
  app.inject({
    method: 'POST',
    url,
    payload: '{}',
    headers: { 'content-type': 'application/json' },
    remoteAddress: from,
  })
const events = () =>
  server.sql(
    `SELECT severity, description, ip_address, details FROM security_events
     WHERE event_type = 'signature_refused' ORDER BY id`,
  )

test('a flood without a signature writes 30 rows and one event a network', async () => {
  const second = await startSecondServer(server)
  const flood = await Promise.all(Array.from({ length: 400 }, (_, n) => post(`192.0.2.${n % 2}`, second.app)))
  expect(new Set(flood.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  await second.close()
  expect(
    await server.sql(`SELECT count(*)::int AS kept FROM messages WHERE direction = 'in' AND signature = 'missing'`),
  ).toEqual([{ kept: 30 }])
  const first = { severity: 'medium', description: 'A KYC result came without a signature', details: {} }
  expect(await events()).toEqual([
    { ...first, ip_address: '192.0.2.0' },
    { ...first, ip_address: '192.0.2.1' },
    {
      severity: 'medium',
      description: '400 KYC results came without a signature within a minute',
      ip_address: null,
      details: { refused: 400, sources: 2, most: { '192.0.2.0': 200, '192.0.2.1': 200 } },
    },
  ])
})

test('a refused message takes no transaction once the log has no room for it', async () => {
  for (let n = 0; n < 30; n++) await post('192.0.2.7')
  const count = async () =>
    server.sql(`SELECT count(*)::int AS rows FROM messages WHERE direction = 'in'`).then(([row]) => row!.rows as number)
  const before = await count()
  const { pool } = server.services.database
  const holders = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  // No connection is left: anyone who needs one waits.
  expect((await post('192.0.2.7')).statusCode).toBe(401)
  for (const holder of holders) holder.release()
  expect(await count()).toBe(before)
})

test('a signed message is accepted amid a flood', async () => {
  await Promise.all(Array.from({ length: 40 }, () => post('192.0.2.8')))
  expect((await send(result(await makeSubmitted()))).statusCode).toBe(200)
  const caught = signed(result(await makeSubmitted()))
  await nobody('POST', url, caught.body, caught.headers)
  expect((await nobody('POST', url, caught.body, caught.headers)).statusCode).toBe(409)
  await expect.poll(async () => (await events()).at(-1)).toMatchObject({ severity: 'low', ip_address: '127.0.0.1' })
})

test('without a provider every result is refused before it is read', async () => {
  const bare = await startServer()
  const reply = await bare.app.inject({
    method: 'POST',
    url,
    payload: 'x'.repeat(100_000),
    headers: { 'content-type': 'text/plain' },
  })
  expect(reply.statusCode).toBe(401)
  expect(reply.json()).toMatchObject({ code: 'unauthorized' })
  expect(await bare.sql(`SELECT FROM messages WHERE direction = 'in'`)).toEqual([])
})
