import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { answerClientError, asLongUpload } from './client-errors.ts'

// A server whose patience ends after a fifth of a second; ours has a minute.
const server = createServer(
  { requestTimeout: 200, headersTimeout: 150, connectionsCheckingInterval: 20 },
  (request, reply) => {
    const read = async () => {
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      reply.end(String(bytes))
    }
    const done = request.url === '/upload' ? asLongUpload(request.socket, read) : read()
    done.catch(() => reply.destroy())
  },
).on('clientError', answerClientError)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function send(start: string, pieces: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes)).on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(start)
  for (let n = 0; n < pieces && socket.writable; n++) {
    await pause(50)
    socket.write('ab')
  }
  await expect.poll(() => answer).toContain('\r\n\r\n')
  socket.destroy()
  await closed
  return answer
}
const post = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n`

test('an upload may last longer than the time a request has, any other body may not', async () => {
  const [upload, other] = await Promise.all([send(post('/upload'), 10), send(post('/other'), 10)])
  expect(upload).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n20$/)
  expect(other).toMatch(/^HTTP\/1\.1 408 [^]*"code":"timeout"/)
})

test('what is no HTTP is answered in the words of every other refusal (PRODUCT 3.5)', async () => {
  expect(await send('nonsense\r\n\r\n', 0)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid"/)
})
