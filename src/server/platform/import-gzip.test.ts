import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGzip, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importHeaders, importUrl, buildMemberLine as member } from '#test/support/import.ts'
import { openSocket } from '#test/support/raw-calls.ts'
import { startServer } from '#test/support/server.ts'
import { gunzipStream } from './import-gzip.ts'
import { importStream } from './import.ts'

const server = await startServer()
const headers = { ...importHeaders, 'content-encoding': 'gzip' }
const send = (body: Buffer, more: Record<string, string> = {}) =>
  server.as(null)('POST', importUrl, body, { ...headers, ...more })
const linesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify(member(`${name}-${n}`))}\n`).join('')
const storedOf = async (name: string) =>
  (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM members WHERE id LIKE $1', [`${name}-%`]))[0]!.n
/** Where the console listens, from the first test on that needs a connection. */
async function port(): Promise<number> {
  if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' })
  const bound = server.app.server.address()
  return typeof bound === 'object' && bound ? bound.port : 0
}

test('an import packed with gzip is taken, also of several members (product 10.3)', async () => {
  const whole = gzipSync(linesOf('g', 3))
  expect((await send(whole)).json()).toMatchObject({ accepted: 3, created: 3, refused: 0 })
  expect((await send(whole, { 'content-encoding': 'X-Gzip' })).json()).toMatchObject({ unchanged: 3 })
  const parted = Buffer.concat([gzipSync(linesOf('p', 2).slice(0, 30)), gzipSync(linesOf('p', 2).slice(30))])
  expect((await send(parted)).json()).toMatchObject({ created: 2, refused: 0 })
  expect((await send(gzipSync(''))).json()).toMatchObject({ accepted: 0, refused: 0 })
})

test('what is not gzip, or broken, is 400 and says which lines stand (product 8.5)', async () => {
  const none = await send(Buffer.from(linesOf('n', 2)))
  expect([none.statusCode, none.json()]).toEqual([
    400,
    { code: 'invalid', message: 'The input is not valid gzip: nothing was stored' },
  ])
  const packed = gzipSync(linesOf('b', 1200), { level: 0 })
  const short = await send(packed.subarray(0, packed.length - 20))
  expect(short.statusCode).toBe(400)
  expect(short.json().message).toMatch(/not valid gzip: lines 1 to (500|1000) stand; send all of it again/)
  expect([500, 1000]).toContain(await storedOf('b'))
  const tampered = Buffer.from(gzipSync(linesOf('c', 2)))
  tampered[tampered.length - 6]! ^= 1
  expect((await send(tampered)).statusCode).toBe(400)
  const trailing = await send(Buffer.concat([gzipSync(linesOf('t', 2)), Buffer.from('rubbish at the end')]))
  expect([trailing.statusCode, trailing.json().code]).toEqual([400, 'invalid'])
  expect((await send(Buffer.alloc(0))).statusCode).toBe(400)
})

test('trailing zeros may end the packed data (product 8.5)', async () => {
  for (const zeros of [1, 512, 300_000]) {
    const padded = Buffer.concat([gzipSync(linesOf(`z${zeros}`, 2)), Buffer.alloc(zeros)])
    expect((await send(padded)).json(), String(zeros)).toMatchObject({ created: 2, refused: 0 })
    const parted = await send(Buffer.concat([padded, gzipSync(linesOf(`y${zeros}`, 2))]))
    expect([parted.statusCode, parted.json().message], String(zeros)).toEqual([
      400,
      'The input is not valid gzip: nothing was stored',
    ])
  }
})

test('zeros are told from members wherever the input is cut (product 8.5)', async () => {
  const [first, second] = [gzipSync('a'), gzipSync('b')]
  const cases = [
    [Buffer.concat([first, Buffer.alloc(3)]), 'a'],
    [Buffer.concat([first, second, Buffer.alloc(3)]), 'ab'],
    [Buffer.concat([first, Buffer.alloc(3), second]), 'Z_DATA_ERROR'],
  ] as const
  for (const [input, expected] of cases)
    for (let at = 1; at < input.length; at++) {
      const source = Readable.from([input.subarray(0, at), input.subarray(at)])
      const read = await text(gunzipStream(source)).catch((error: { code: string }) => error.code)
      expect(read, `cut at ${at}`).toBe(expected)
    }
})

test('one endless line is let go as it passes by, and memory stays flat', async () => {
  const part = Buffer.alloc(1024 * 1024, 0x61)
  part.write(randomBytes(8192).toString('hex'))
  const packed = Readable.from(Array.from({ length: 300 }, () => part)).pipe(createGzip({ level: 1 }))
  const before = process.memoryUsage.rss()
  let most = before
  const result = await importStream(server.system, watched(gunzipStream(packed)))
  expect(result).toMatchObject({ refused: 1, errors: [{ line: 1, message: 'the line is longer than 64 kB' }] })
  expect((most - before) / 1e6).toBeLessThan(150)

  async function* watched(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      most = Math.max(most, process.memoryUsage.rss())
      yield chunk
    }
  }
})

test('a decompression bomb is 413 long before it is unpacked (product 8.5)', async () => {
  for (const filler of [0x0a, 0x20, 0x61]) {
    const name = `bomb-${filler}`
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, filler))
    const reply = await send(Buffer.concat([gzipSync(linesOf(name, 500)), bomb]))
    expect([reply.statusCode, reply.json()]).toEqual([
      413,
      {
        code: 'too_large',
        message: expect.stringMatching(/^The input unpacks to more than 200 times its size: lines 1 to/),
      },
    ])
    expect(await storedOf(name)).toBe(500)
  }
})

test('a broken packed upload keeps what is committed and audits where it stopped', async () => {
  const socket = openSocket(await port())
  socket.write(
    `POST ${importUrl} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${importHeaders.authorization}\r\n` +
      'content-type: application/x-ndjson\r\ncontent-encoding: gzip\r\ncontent-length: 9999999\r\n\r\n',
  )
  socket.write(gzipSync(linesOf('cut', 600)))
  await expect.poll(() => storedOf('cut')).toBe(500)
  socket.destroy()
  const last = () => server.sql(`SELECT details FROM audit_log WHERE action = 'import' ORDER BY id DESC LIMIT 1`)
  await expect
    .poll(async () => (await last())[0])
    .toMatchObject({
      details: { created: 500, stopped: 'The input broke off: lines 1 to 500 stand; send all of it again to go on' },
    })
})

test('a refusal during a long upload reaches the caller', async () => {
  const socket = openSocket(await port())
  const broken = Buffer.concat([gzipSync(linesOf('r', 1)), Buffer.alloc(4 * 1024 * 1024, 0x61)])
  const call = (length: number, more: string) =>
    `POST ${importUrl} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${importHeaders.authorization}\r\n` +
    `content-type: application/x-ndjson\r\n${more}content-length: ${length}\r\n\r\n`
  const answers = text(socket)
  socket.write(call(broken.length, 'content-encoding: gzip\r\n'))
  socket.write(broken)
  const line = `${JSON.stringify(member('after'))}\n`
  socket.write(`${call(line.length, 'connection: close\r\n')}${line}`)
  await once(socket, 'close')
  const all = await answers
  expect(all.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
  expect(all).toContain('The input is not valid gzip')
})
