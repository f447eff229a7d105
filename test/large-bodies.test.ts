import { expect, test } from 'vitest'
import { connectTo, host } from './support/raw-calls.ts'
import { platformKey, startServer } from './support/server.ts'

const server = await startServer()
const bearer = `authorization: Bearer ${platformKey}\r\n`
test.each([
  ['JSON', `PUT /api/platform/v1/members/m-1 HTTP/1.1\r\n${host}${bearer}content-type: application/json\r\n`],
  [
    'a picture',
    `PUT /api/platform/v1/members/m-1/documents/front HTTP/1.1\r\n${host}${bearer}content-type: image/png\r\n`,
  ],
])('a client that writes all of too large %s before it reads hears the 413', async (_what, head) => {
  const bytes = Buffer.alloc(14 * 1024 * 1024, 0x20)
  const socket = (await connectTo(server.app)).pause()
  const broken: Error[] = []
  socket.on('error', (error) => broken.push(error))
  socket.write(`${head}content-length: ${bytes.length}\r\n\r\n`)
  await new Promise((written) => socket.write(bytes, written))
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk)).resume()
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 [^]*"code":"too_large"/)
  expect(broken).toEqual([])
  // The connection is good for the next call.
  answer = ''
  socket.write(`GET /live HTTP/1.1\r\n${host}\r\n`)
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('the rest of a refused body is read for 32 MB and no longer', async () => {
  const socket = await connectTo(server.app)
  socket.on('error', () => {}).resume()
  socket.write(
    `PUT /api/platform/v1/members/m-1 HTTP/1.1\r\n${host}${bearer}content-type: application/json\r\ncontent-length: 999999999\r\n\r\n`,
  )
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const bytes = Buffer.alloc(1024 * 1024)
  let sent = 0
  while (!socket.destroyed && sent < 200) {
    sent++
    await Promise.race([new Promise((written) => socket.write(bytes, written)), closed])
  }
  expect(sent).toBeGreaterThan(30)
  expect(sent).toBeLessThan(100)
})
