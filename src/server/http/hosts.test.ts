import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openSocket } from '#test/support/raw-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({
  PUBLIC_URL: 'https://console.example.com',
  ALLOWED_HOSTS: 'console.internal backup',
})
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo

/** The head of the answer to these lines of a request. */
async function answerTo(...lines: string[]): Promise<string> {
  const socket = openSocket(port)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes)).write([...lines, 'Connection: close', '', ''].join('\r\n'))
  await expect.poll(() => answer).toContain('\r\n\r\n')
  socket.destroy()
  return answer
}

test.each([
  'console.example.com',
  'Console.Example.COM:443',
  'console.internal:3000',
  'backup',
  'localhost:8080',
  '127.0.0.1:3000',
  '10.1.2.3',
  '[::1]:3000',
  '[2001:db8::7]',
])('asked as %s the console answers', async (host) => {
  expect(await answerTo('GET /live HTTP/1.1', `Host: ${host}`)).toMatch(/^HTTP\/1\.1 200 /)
})

test.each([
  'evil.example',
  'console.example.com.evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'console.example.com.',
])('asked as %s, a name that is not its own, it answers 421 to every path', async (host) => {
  for (const path of ['/', '/live', '/api/users', '/api/platform/v1/kyc-results']) {
    const answer = await answerTo(`GET ${path} HTTP/1.1`, `Host: ${host}`)
    expect(answer, path).toMatch(/^HTTP\/1\.1 421 [^]*"code":"unknown_host"/)
    expect(answer, path).toContain('\r\nx-content-type-options: nosniff\r\n')
  }
})

test.each([
  ['two names', ['Host: localhost', 'Host: evil.example']],
  ['the same name twice', ['Host: localhost', 'host: localhost']],
  ['a user', ['Host: evil.example@localhost']],
  ['a path', ['Host: localhost/x']],
  ['nothing', ['Host:']],
  ['no Host at all', []],
])('a Host of %s is 400', async (_what, lines) => {
  expect(await answerTo('GET /live HTTP/1.1', ...lines)).toMatch(/^HTTP\/1\.1 400 /)
})

test('the host of a whole address in the request line counts, whatever Host says', async () => {
  const ask = (address: string) => answerTo(`GET ${address} HTTP/1.1`, 'Host: localhost')
  expect(await ask('http://evil.example/live')).toMatch(/^HTTP\/1\.1 421 [^]*"code":"unknown_host"/)
  expect(await ask('HTTP://user@localhost/live')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await ask('http://console.internal:3000/live')).toMatch(/^HTTP\/1\.1 200 /)
})

test('a second Authorization is refused, since the first alone would count', async () => {
  const answer = await answerTo(
    'GET /live HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer a',
    'authorization: Bearer b',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*Authorization is given more than once/)
})

test('a health check of HTTP/1.0 needs no Host', async () => {
  expect(await answerTo('GET /ready HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /)
})
