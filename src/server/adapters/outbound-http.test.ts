import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from './ip-ranges.ts'
import { post, type PostRequest } from './outbound-http.ts'
import { testCertificate } from '#test/support/fakes/certificate.ts'
import { holdTimers } from '#test/support/held-timers.ts'

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createHttp(answer))}`
const serveRaw = async (answer: (socket: Socket) => void) => `http://127.0.0.1:${await listen(createTcp(answer))}`

const send = (url: string, given: Partial<PostRequest> = {}) =>
  post({ url: new URL(url), headers: {}, body: '{"a":"ü"}', timeoutMs: 60_000, allowsPrivate: true, ...given })

test('an answer of any status is returned with its whole body', async () => {
  let heard = ''
  const url = await serve((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => (heard += text))
    request.on('end', () => response.writeHead(418, { 'retry-after': '7' }).end('tea'))
  })
  expect(await send(url)).toEqual({ status: 418, text: 'tea', retryAfter: '7', failure: null })
  expect(heard).toBe('{"a":"ü"}')
})

test('a redirect is refused and its target never asked (product 11.1)', async () => {
  let hits = 0
  const canary = await serve((_request, response) => {
    hits++
    response.end()
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await serve((_request, response) => void response.writeHead(status, { location: canary }).end())
    expect(await send(url)).toMatchObject({ status, failure: `Refused redirect ${status}` })
  }
  expect(hits).toBe(0)
})

test('one time-out covers headers and body together (product 11.1)', async () => {
  const limits = holdTimers(2500)
  const silent = await serve(() => limits.end(2500))
  expect(await send(silent, { timeoutMs: 2500 })).toMatchObject({ status: null, failure: 'Timed out after 2.5 s' })
  // A body that drips keeps the connection busy for ever.
  const dripping = await serve((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 1)
    response.on('close', () => clearInterval(timer))
  })
  const endAfterHead = () => setImmediate(() => limits.end(2500))
  subscribe('http.client.response.finish', endAfterHead)
  onTestFinished(() => void unsubscribe('http.client.response.finish', endAfterHead))
  expect(await send(dripping, { timeoutMs: 2500 })).toMatchObject({ status: 200, failure: 'Timed out after 2.5 s' })
})

test('a body of a gigabyte is cut off, never read, and the status decides', async () => {
  let sent = 0
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) })
    const piece = Buffer.alloc(65_536, 'x')
    const pump = () => {
      while (!response.destroyed && sent < 2 ** 30) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', pump)
      }
    }
    pump()
  })
  const answer = await send(url)
  expect(answer).toMatchObject({ status: 200, failure: null })
  expect(answer.text).toHaveLength(65_536)
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), /reset/],
  ['a close', (socket) => socket.once('data', () => socket.end()), /reset|closed/],
  ['garbage', (socket) => socket.end('\0\0\0garbage\r\n\r\n'), /not valid HTTP/],
  ['endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`), /not valid HTTP|reset/],
  [
    'a body that breaks off',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf')),
    /broke in the middle|not valid HTTP/,
  ],
  ['an upgrade', (socket) => socket.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), /\w/],
])('%s is a failure that says what happened', async (_what, answer, failure) => {
  expect((await send(await serveRaw(answer))).failure).toMatch(failure)
})

test('a connection error is named without the address’s secrets', async () => {
  const closed = createTcp()
  const port = await listen(closed)
  await new Promise((resolve) => closed.close(resolve))
  const refused = await send(`http://user:secret@127.0.0.1:${port}/?key=secret`)
  expect(refused.failure).toBe('Could not connect: connection refused')
  const unknown = await send('http://provider.invalid/', {
    resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo secret'), { code: 'ENOTFOUND' })),
  })
  expect(unknown.failure).toBe('Could not connect: unknown host name')
  const plain = await serve((_request, response) => void response.end())
  expect((await send(plain.replace('http', 'https'))).failure).toMatch(/^TLS was refused/)
})

test('a certificate that nobody vouches for is refused before anything is sent', async () => {
  let hits = 0
  const server = createHttps(testCertificate, (_request, response) => {
    hits++
    response.end()
  })
  server.on('tlsClientError', () => {})
  const answer = await send(`https://localhost:${await listen(server)}`)
  expect(answer).toMatchObject({ status: null, failure: expect.stringMatching(/^TLS was refused \(.*SELF_SIGNED/) })
  expect(hits).toBe(0)
})

test('who gives up is told so at once', async () => {
  const url = await serve(() => {})
  const stop = new AbortController()
  const sent = send(url, { signal: stop.signal })
  stop.abort(new Error('stopping'))
  await expect(sent).rejects.toThrow('stopping')
  await expect(send(url, { signal: stop.signal })).rejects.toThrow('stopping')
})

const inside = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '１２７.0.0.1',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  '[2002:7f00:1::]',
]
test.each(inside)('an address of this machine or network is refused however it is written: %s', async (host) => {
  const answer = await send(`http://${host}:1/`, { allowsPrivate: false })
  expect(answer).toMatchObject({ status: null, failure: expect.stringMatching(/^Address refused: .*not public/) })
})

test('localhost is refused when it is looked up', async () => {
  const answer = await send('http://localhost:1/', { allowsPrivate: false })
  expect(answer.failure).toMatch(/^Address refused: (127\.0\.0\.1|::1) is not public/)
})

test('a public name that leads inside is refused, at every connection again', async () => {
  let hits = 0
  const port = await listen(createTcp(() => hits++))
  const answers = ['203.0.113.9', '127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254']
  for (const address of answers) {
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    const answer = await send(`http://rebound.example:${port}/`, { allowsPrivate: false, resolve })
    expect(answer.failure).toBe(`Address refused: ${address} is not public (WEBHOOK_ALLOW_PRIVATE is off)`)
  }
  expect(hits).toBe(0)
})

test('a name is looked up once, and what was judged is what is connected to', async () => {
  let lookups = 0
  const url = await serve((_request, response) => void response.end('here'))
  const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '203.0.113.9', family: 4 }]
  expect(await send(url.replace('127.0.0.1', 'once.example'), { resolve })).toMatchObject({ status: 200, text: 'here' })
  expect(lookups).toBe(1)
})

test('public addresses are public', () => {
  const outside = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.0.1.1']
  for (const address of [...outside, '2606:4700::1111', '2a00:1450::1']) expect(isPublicAddress(address)).toBe(true)
  for (const address of ['', 'example.com', '8.8.8', '2001:db8::1']) expect(isPublicAddress(address)).toBe(false)
})
