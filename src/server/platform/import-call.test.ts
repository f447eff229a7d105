import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { connectPool as connectDatabase, readConnectionOptions } from '#server/db/client.ts'
import {
  pickCounts,
  createImporter,
  importHeaders,
  importUrl,
  buildMemberLine as member,
} from '#test/support/import.ts'
import { openSocket } from '#test/support/raw-calls.ts'
import { startServer } from '#test/support/server.ts'
import { importStream } from './import.ts'

const server = await startServer()
const send = createImporter(server)

test('it needs a platform key, before the body is read', async () => {
  const reply = await server.as(null)('POST', importUrl, '{}', { 'content-type': 'application/x-ndjson' })
  expect(reply.statusCode).toBe(401)
})

test('anything but NDJSON, plain or with gzip, is 415', async () => {
  for (const type of ['application/json', 'text/plain', undefined]) {
    const reply = await server.as(null)('POST', importUrl, '{}', { ...importHeaders, 'content-type': type ?? '' })
    expect([reply.statusCode, reply.json().code], String(type)).toEqual([415, 'unsupported_media_type'])
  }
  for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
    const packed = await server.as(null)('POST', importUrl, '{}', { ...importHeaders, 'content-encoding': encoding })
    expect([packed.statusCode, packed.json().code], encoding).toEqual([415, 'unsupported_media_type'])
  }
  const plain = await server.as(null)('POST', importUrl, '', { ...importHeaders, 'content-encoding': 'identity' })
  expect(plain.statusCode).toBe(200)
  const empty = await server.as(null)('POST', importUrl, undefined, { authorization: importHeaders.authorization })
  expect(empty.statusCode).toBe(415)
})

test('it is audited with its first lines, and as a whole with its counts (product 6.9)', async () => {
  await send(member('m-audit'), member('m-audit'), 'nonsense')
  const audits = await server.sql(
    `SELECT actor_name, details FROM audit_log WHERE action = 'import' ORDER BY id DESC LIMIT 2`,
  )
  expect(audits.map(({ actor_name }) => actor_name)).toEqual(Array(2).fill('platform:move-in'))
  expect(audits.map(({ details }) => details)).toEqual([
    { accepted: 2, created: 1, updated: 0, unchanged: 1, refused: 1 },
    { begun: true },
  ])
})

test('rows held too long by another change stop the import with 503 (product 8.5)', async () => {
  await send(member('m-held'))
  const database = connectDatabase(
    { ...readConnectionOptions(server.services.database.pool), lock_timeout: 50 },
    () => {},
  )
  const lines = [
    ...Array.from({ length: 500 }, (_, n) => member(`m-free-${n}`)),
    member('m-held', { legalLastName: 'Lima' }),
  ]
  const source = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`))
  const holder = await server.services.database.pool.connect()
  await holder.query(`BEGIN; SELECT FROM members WHERE id = 'm-held' FOR UPDATE`)
  const stopped = await importStream({ ...server.system, database }, source).catch((error: unknown) => error)
  await holder.query('ROLLBACK')
  holder.release()
  await database.close()
  expect(stopped).toMatchObject({
    code: 'busy',
    status: 503,
    retryAfter: 5,
    message:
      'The import stopped because other changes held its rows for too long: lines 1 to 500 stand; send all of it again to go on',
  })
})

test('when the database goes away the import stops with 503 and says what stands', async () => {
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE members IN EXCLUSIVE MODE')
  const importing = importStream(server.system, Readable.from([JSON.stringify(member('m-away'))])).catch(
    (e: unknown) => e,
  )
  const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await server.sql(kill)).length).toBeGreaterThan(0)
  await holder.query('ROLLBACK')
  holder.release()
  expect(await importing).toMatchObject({
    code: 'database_unavailable',
    status: 503,
    message: expect.stringContaining('nothing was stored'),
  })
  expect(pickCounts(await send(member('m-away')))).toMatchObject({ created: 1 })
})

test('a broken upload keeps what is committed and audits where it stopped', async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const bound = server.app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  const lines = Array.from({ length: 1600 }, (_, n) => `${JSON.stringify(member(`cut-${n}`))}\n`).join('')
  const socket = openSocket(port)
  socket.write(
    `POST ${importUrl} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${importHeaders.authorization}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 9999999\r\n\r\n`,
  )
  socket.write(lines)
  const stored = () => server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM members WHERE id LIKE 'cut-%'`)
  await expect.poll(async () => (await stored())[0]!.n).toBe(1500)
  socket.destroy()
  await expect
    .poll(
      async () =>
        (await server.sql(`SELECT details FROM audit_log WHERE action = 'import' ORDER BY id DESC LIMIT 1`))[0],
    )
    .toMatchObject({ details: { created: 1500, stopped: expect.stringContaining('lines 1 to 1500') } })
  expect((await stored())[0]!.n).toBe(1500)
})
