import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { withPacedUpload, createRawRefusals } from './client-errors.ts'
import { securityHeaders } from './headers.ts'
import { openSocket } from '#test/support/raw-calls.ts'
import { createLog } from '#server/process/log.ts'

// A server whose patience ends after a fifth of a second; ours has a minute.
const server = createServer(
  { requestTimeout: 200, headersTimeout: 150, connectionsCheckingInterval: 20 },
  (request, reply) => {
    const read = async () => {
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      reply.end(String(bytes))
    }
    const done = request.url === '/upload' ? withPacedUpload(request.socket, read) : read()
    done.catch(() => reply.destroy())
  },
).on('clientError', createRawRefusals(securityHeaders, createLog('silent')).answerClientError)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** A connection with `text` written to it; `answer` ends when the server has said a whole head. */
function begin(text: string) {
  const socket = openSocket((server.address() as AddressInfo).port)
  let heard = ''
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (bytes) => {
      heard += bytes
      if (heard.includes('\r\n\r\n')) resolve(heard)
    })
  })
  socket.write(text)
  return { socket, answer }
}
const post = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 4\r\n\r\nab`

test('an upload may last longer than the time a request has, any other body may not', async () => {
  const upload = begin(post('/upload'))
  await once(server, 'request')
  // Begun later and refused for its age, so the upload, which has come no further, is older than allowed.
  const other = begin(post('/other'))
  expect(await other.answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"timeout"/)
  upload.socket.write('cd')
  expect(await upload.answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('what is not HTTP is answered in the words of every other refusal (product 8.5)', async () => {
  expect(await begin('nonsense\r\n\r\n').answer).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid"/)
})
