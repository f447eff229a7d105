import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { testCertificate } from '#test/support/fakes/certificate.ts'
import { readFrames } from '#test/support/syslog-frames.ts'
import { formatSyslog, sendSyslog, type SyslogMessage } from './syslog.ts'

const never = new AbortController().signal
const message: SyslogMessage = {
  facility: 'authorization',
  severity: 'error',
  time: '2026-11-23T12:00:00.123Z',
  host: 'console.example.com',
  messageId: 'security_event',
  data: { id: 'event-1.2', action: 'sign_in_locked', actorId: null },
  text: 'Sign-in as Zoë is locked',
}
const send = (protocol: 'tls' | 'tcp', port: number, messages: string[], timeoutMs = 2000) =>
  sendSyslog(new URL(`${protocol}://localhost:${port}`), messages, { timeoutMs, signal: never })

const open: net.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** A collector that keeps the bytes of each connection. */
async function startCollector(server: net.Server) {
  const received: Buffer[] = []
  open.push(server)
  server.on(server instanceof tls.Server ? 'secureConnection' : 'connection', (socket: net.Socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => received.push(chunk))
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, read: () => readFrames(Buffer.concat(received)) }
}

test('a message has the header, the element and the text of RFC 5424', () => {
  expect(formatSyslog(message)).toBe(
    '<83>1 2026-11-23T12:00:00.123Z console.example.com back-office - security_event ' +
      '[backOffice@32473 id="event-1.2" action="sign_in_locked"] \ufeffSign-in as Zoë is locked',
  )
})

test('values that would end the element are escaped, and read back as they were', async () => {
  const hostile = String.raw`"] <34>1 - evil \ [x@1 a="b"]`
  const { port, read } = await startCollector(net.createServer())
  expect(await send('tcp', port, [formatSyslog({ ...message, data: { actorName: hostile } })])).toBeNull()
  expect(read()).toMatchObject([{ facility: 10, severity: 3, data: { actorName: hostile }, text: message.text }])
})

test('messages of one batch are told apart by their octets, whatever their texts hold', async () => {
  const { port, read } = await startCollector(net.createServer())
  const texts = ['one', 'ünï 12 <13>1', '末', 'last']
  const sent = texts.map((text) => formatSyslog({ ...message, text }))
  expect(await send('tcp', port, sent)).toBeNull()
  expect(read().map(({ text }) => text)).toEqual(texts)
})

test('over TLS the certificate of the collector is verified', async () => {
  const { port, read } = await startCollector(tls.createServer(testCertificate))
  expect(await send('tls', port, [formatSyslog(message)])).toMatch(/^TLS was refused/)
  expect(read()).toEqual([])
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, testCertificate.cert])
  try {
    expect(await send('tls', port, [formatSyslog(message)])).toBeNull()
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
  expect(read()).toMatchObject([{ text: message.text }])
})

test.each([
  ['that is not there', undefined, undefined, 'Could not connect: connection refused'],
  ['that closes at once', (socket: net.Socket) => void socket.resetAndDestroy(), undefined, /reset|closed before/],
  ['that never ends the connection', (socket: net.Socket) => void socket.resume(), 300, 'Timed out after 0.3 s'],
])('a collector %s has taken nothing', async (_what, answer, timeoutMs, failure) => {
  const server = net.createServer({ allowHalfOpen: true }, answer)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (answer) open.push(server)
  else await new Promise((resolve) => server.close(resolve))
  expect(await send('tcp', port, ['x'.repeat(100)], timeoutMs)).toMatch(failure)
})

test('a stop aborts a message under way', async () => {
  const stop = new AbortController()
  const server = net.createServer({ allowHalfOpen: true }, () => stop.abort(new Error('stopped')))
  open.push(server)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const url = new URL(`tcp://localhost:${(server.address() as AddressInfo).port}`)
  await expect(sendSyslog(url, ['x'], { timeoutMs: 2000, signal: stop.signal })).rejects.toThrow('stopped')
})
