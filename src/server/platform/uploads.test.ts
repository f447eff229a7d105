import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeMember } from '#test/support/make.ts'
import { listCallRecords, platformBase, readAllTables } from '#test/support/platform-calls.ts'
import { openSocket } from '#test/support/raw-calls.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const { id: member } = await makeMember(server)
const tenMegabytes = 10 * 1024 * 1024
const picture = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer()
const headers = (type: string | undefined, key = platformKey) => ({
  authorization: `Bearer ${key}`,
  ...(type !== undefined && { 'content-type': type }),
})
const path = (kind = 'front', of = member) => `${platformBase}/members/${of}/documents/${kind}`
const upload = (payload: Buffer | Readable | string, type: string | undefined = 'image/png', url = path()) =>
  server.app.inject({ method: 'PUT', url, payload, headers: headers(type) })

test('a picture is kept under a path that its bytes determine (product 10.2)', async () => {
  const bytes = await picture(40)
  const replies = await Promise.all(Array.from({ length: 8 }, () => upload(bytes)))
  expect(replies.map((reply) => reply.statusCode)).toEqual(Array(8).fill(200))
  const paths = new Set(replies.map((reply) => reply.json().documentPath))
  expect([...paths]).toEqual([expect.stringMatching(/^doc_/)])
  const rows = await listCallRecords(server, ...replies)
  expect(rows.filter(({ details }) => 'outcome' in details && details.outcome === 'created')).toMatchObject([
    { target_type: 'user', target_id: member, details: { call: 'PUT /members/{id}/documents/{kind}' } },
  ])
  expect(rows).toHaveLength(8)
  expect((await upload(await picture(41))).json().documentPath).not.toBe([...paths][0])
  // The bytes decide, whatever the header says.
  expect((await upload(await picture(42), 'image/jpeg')).statusCode).toBe(200)
})

test('a KYC step takes the path that the upload answered (product 10.2)', async () => {
  const { documentPath } = (await upload(await picture(43))).json()
  const reply = await server.app.inject({
    method: 'PUT',
    url: `${platformBase}/members/${member}/kyc/1`,
    payload: { step3: { documentType: 'passport', frontDocumentPath: documentPath } },
    headers: headers(undefined),
  })
  expect(reply.json()).toEqual({ outcome: 'created' })
})

test('a damaged picture or a wrong kind is refused and nothing is kept (product 10.2)', async () => {
  const bytes = await picture(50)
  const stands = await readAllTables(server)
  const refused: [Promise<{ statusCode: number; json: () => { message: string } }>, number, string][] = [
    [upload('<svg/>', 'image/svg+xml'), 415, 'image/jpeg, image/png, image/webp'],
    [upload('{}', 'application/json'), 415, 'image/jpeg, image/png, image/webp'],
    [upload('<html>', 'image/png'), 415, 'must be a JPEG, PNG or WebP image'],
    [upload('', 'image/png'), 415, 'must be'],
    [upload('', undefined), 415, 'must be'],
    [upload(bytes.subarray(0, 60)), 400, 'damaged'],
    [upload(bytes, 'image/png', path('back', 'nobody')), 404, 'there is no member nobody'],
    [upload(bytes, 'image/png', path('side')), 400, 'must be front, back, selfie'],
    [upload(bytes, 'image/png', path('front', '%00')), 400, 'letters, digits'],
  ]
  for (const [reply, status, message] of refused) {
    const { statusCode, json } = await reply
    expect([statusCode, json().message]).toEqual([status, expect.stringContaining(message)])
  }
  const zipped = await server.app.inject({
    method: 'PUT',
    url: path(),
    payload: bytes,
    headers: { ...headers('image/png'), 'content-encoding': 'gzip' },
  })
  expect(zipped.statusCode).toBe(415)
  expect(await readAllTables(server)).toEqual(stands)
})

/** A connection of its own on which an upload is begun; `answer` is what has come back once the server closed it. */
async function begin(head: string, key = platformKey) {
  if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' })
  const bound = server.app.server.address()
  const socket = openSocket(typeof bound === 'object' && bound ? bound.port : 0)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(
    `PUT ${path()} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: image/png\r\n${head}\r\n\r\n`,
  )
  return { socket, answer: () => text }
}

test('a body of more than 10 MB is 413 as soon as that is known (product 10.2)', async () => {
  const announced = await begin(`content-length: ${tenMegabytes + 1}`)
  await expect.poll(announced.answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*more than 10 MB/)
  announced.socket.destroy()
  const streamed = await begin('transfer-encoding: chunked')
  const chunk = Buffer.alloc(1024 * 1024, 0x89)
  for (let sent = 0; sent < 11; sent++) {
    streamed.socket.write(`${chunk.length.toString(16)}\r\n`)
    streamed.socket.write(chunk)
    streamed.socket.write('\r\n')
  }
  await expect.poll(streamed.answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*more than 10 MB/)
  streamed.socket.destroy()
})

test('uploads beyond the queue are 503 at once, and the others are served', async () => {
  const replies = await Promise.all(Array.from({ length: 80 }, () => upload('<html>')))
  const statuses = replies.map((reply) => reply.statusCode).toSorted()
  expect(statuses).toEqual([...Array<number>(72).fill(415), ...Array<number>(8).fill(503)])
  expect(replies.find((reply) => reply.statusCode === 503)!.headers['retry-after']).toBe('2')
})

test('the key is checked before the body is read (product 10.2)', async () => {
  const unread = await begin(`content-length: ${tenMegabytes}`, 'no-key')
  await expect.poll(unread.answer).toMatch(/^HTTP\/1\.1 401 /)
  unread.socket.destroy()
})

test('an upload that breaks off leaves nothing behind', async () => {
  const stands = await readAllTables(server)
  const broken = await begin(`content-length: ${tenMegabytes}`)
  await new Promise((done) => broken.socket.write(Buffer.alloc(100_000), done))
  broken.socket.destroy()
  expect((await upload(await picture(40))).statusCode).toBe(200)
  expect(await readAllTables(server)).toEqual(stands)
})

/** The server may close while the last bytes are on their way, which is not a failure here. */
const closed = (socket: Socket) => new Promise<void>((done) => socket.on('error', () => {}).once('close', () => done()))

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))

test.each([
  ['stands still', 60_000],
  ['drips', 5],
])('an upload that %s is answered 408, and the connection ends', async (_how, pauseMs) => {
  server.services.uploadPace = { patienceMs: 300, bytesPerSecond: 1_000_000, maxMs: 60_000 }
  const { socket, answer } = await begin(`content-length: ${tenMegabytes}`)
  const drip = setInterval(() => answer() === '' && socket.write('x'), pauseMs)
  await closed(socket)
  clearInterval(drip)
  delete server.services.uploadPace
  expect(answer()).toMatch(/^HTTP\/1\.1 408 [^]*\r\nconnection: close\r\n/i)
  expect(bodyOf(answer())).toEqual({ message: 'The input came in too slowly', code: 'timeout' })
})

test('a slow upload that keeps its pace is stored', async () => {
  server.services.uploadPace = { patienceMs: 1000, bytesPerSecond: 1, maxMs: 60_000 }
  const bytes = await picture(44)
  const step = Math.ceil(bytes.length / 20)
  const { socket, answer } = await begin(`content-length: ${bytes.length}\r\nconnection: close`)
  let sent = 0
  const write = setInterval(() => {
    socket.write(bytes.subarray(sent, (sent += step)))
    if (sent >= bytes.length) clearInterval(write)
  }, 75)
  await closed(socket)
  delete server.services.uploadPace
  expect(answer()).toMatch(/^HTTP\/1\.1 200 /)
})

test('an upload ends at its deadline, whatever comes in', async () => {
  server.services.uploadPace = { patienceMs: 60_000, bytesPerSecond: 1, maxMs: 200 }
  const { socket, answer } = await begin(`content-length: ${tenMegabytes}`)
  const steady = setInterval(() => answer() === '' && socket.write(Buffer.alloc(100)), 5)
  await closed(socket)
  clearInterval(steady)
  delete server.services.uploadPace
  expect(bodyOf(answer())).toEqual({ message: 'It took too long in all', code: 'timeout' })
})
