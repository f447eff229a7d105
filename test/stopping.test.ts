import { once } from 'node:events'
import { expect, test } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { loadUntilRefused } from './support/keep-alive-load.ts'
import { makeMembers } from './support/make.ts'
import { openSocket } from './support/raw-calls.ts'
import { spawnServer, startProcess } from './support/server-process.ts'
import { createSession, startServer } from './support/server.ts'

const server = await startServer()
await server.addOperator('ada', 'super_admin')
await makeMembers(server, 60, () => ({}))
const cookie = await createSession(server, 'ada')

test('a stop under the load of 24 clients breaks no request off', async () => {
  for (let round = 0; round < 3; round++) {
    const { url, stop } = await startProcess(server)
    const { outcomes, ended } = loadUntilRefused(`${url}/api/users`, cookie, 24)
    await expect.poll(() => outcomes.answered).toBeGreaterThan(300)
    expect(await stop()).toBe(0)
    await ended
    expect(outcomes).toMatchObject({ refused: 24, broken: [] })
  }
})

test('a server goes on when nobody reads any more what it prints', async () => {
  const port = await freePort()
  const { child, stop } = await spawnServer(server, { PORT: String(port) })
  child.stdout!.destroy()
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/ready`).then(({ status }) => status, String)).toBe(200)
  expect(await stop()).toBe(0)
})

/** A kept-alive connection of which everything that comes is kept. */
async function open(url: string) {
  const socket = openSocket(Number(new URL(url).port)).setEncoding('utf8')
  await once(socket, 'connect')
  const seen = { text: '', isOver: false }
  socket.on('data', (text) => (seen.text += text)).on('close', () => (seen.isOver = true))
  const begin = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n`)
  const finish = () => socket.write(`cookie: ${cookie}\r\n\r\n`)
  const ask = (path: string) => begin(path) && finish()
  return { begin, finish, ask, seen }
}

test('a stop ends streams and idle connections, and answers what is under way', async () => {
  const { url, stop } = await startProcess(server)
  const [health, stream, idle, slow] = await Promise.all([open(url), open(url), open(url), open(url)])
  stream.ask('/api/live')
  idle.ask('/ready')
  await expect.poll(() => idle.seen.text).toContain('{"status":"ok"}')
  await expect.poll(() => stream.seen.text).toContain('heartbeat')
  // An answer that waits for a lock, and a request of which half has come.
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE members')
  slow.ask('/api/users?search=nobody')
  health.begin('/ready')
  await expect
    .poll(() => server.sql(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'members'::regclass`))
    .not.toEqual([])
  const stopped = stop()
  await expect.poll(() => [stream.seen.isOver, idle.seen.isOver]).toEqual([true, true])
  expect(stream.seen.text).toMatch(/\r\n0\r\n\r\n$/)
  health.finish()
  await expect.poll(() => health.seen.isOver).toBe(true)
  expect(health.seen.text).toMatch(/^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n[^]*\{"status":"stopping"\}$/i)
  await expect(fetch(`${url}/live`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  expect(slow.seen.text).toBe('')
  await holder.query('ROLLBACK')
  holder.release()
  await expect.poll(() => slow.seen.isOver).toBe(true)
  expect(slow.seen.text).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
  expect(await stopped).toBe(0)
})

test('a stop cuts off what does not come to an end', async () => {
  const { url, stop } = await startProcess(server)
  const half = await open(url)
  half.begin('/live')
  expect(await stop()).toBe(0)
  await expect.poll(() => half.seen.isOver).toBe(true)
})
