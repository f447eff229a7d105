import { Agent } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { type HttpCall, makeCall } from './faults/call.ts'
import { startCheckingProxy } from './support/checking-proxy.ts'
import { makeMember } from './support/make.ts'
import { startSecondServer } from './support/second-server.ts'
import { startProcess } from './support/server-process.ts'
import { createSession, platformKey, startServer } from './support/server.ts'

const server = await startServer()
await server.addOperator('ada', 'super_admin')
const cookie = await createSession(server, 'ada')
await makeMember(server, { id: 'locked' })

const read: HttpCall = { method: 'GET', path: '/api/users?search=nobody', headers: { cookie } }
const save = (id: string): HttpCall => ({
  method: 'PUT',
  path: `/api/platform/v1/members/${id}`,
  headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ email: `${id}@example.com` }),
})

/** One of several servers on the database of the tests. */
async function startServerAt(port: number) {
  const config = { ...server.services.config, drainSeconds: 3 }
  const started = await startSecondServer({ ...server, services: { ...server.services, config } })
  await started.app.listen({ port, host: '127.0.0.1' })
  return started
}

/** Clients that call until they are stopped, and never try a call again. Returns what their answers were. */
function startClients(url: string, count: number) {
  const answers = new Map<string, number>()
  const stopping = new AbortController()
  let calls = 0
  const run = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping.signal.aborted) {
      const call = ++calls % 3 === 0 ? save(`m-${calls}`) : read
      const { status, code } = await makeCall(url, call, { agent })
      const answer = status === null || status >= 400 ? `${call.method}: ${status} ${code}` : 'answered'
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
    agent.destroy()
  }
  const running = Promise.all(Array.from({ length: count }, run))
  return {
    answers,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

test('two servers restarted in turn behind a proxy that asks /ready fail no call', async () => {
  const ports = [await freePort(), await freePort()]
  const servers = await Promise.all(ports.map(startServerAt))
  const targets = ports.map((port) => `http://127.0.0.1:${port}`)
  const proxy = await startCheckingProxy(targets)
  onTestFinished(() => proxy.close())
  onTestFinished(async () => void (await Promise.all(servers.map((each) => each.close()))))
  for (const target of targets) await expect.poll(() => proxy.isUp(target)).toBe(true)
  const clients = startClients(proxy.url, 8)
  onTestFinished(() => clients.stop())
  for (const [at, target] of targets.entries()) {
    const answered = clients.answers.get('answered') ?? 0
    await expect.poll(() => clients.answers.get('answered')).toBeGreaterThan(answered + 50)
    await servers[at]!.app.drain()
    expect(proxy.isUp(target)).toBe(false)
    await servers[at]!.close()
    servers[at] = await startServerAt(ports[at]!)
    await expect.poll(() => proxy.isUp(target)).toBe(true)
  }
  await clients.stop()
  expect(proxy.failures).toEqual([])
  expect([...clients.answers.keys()]).toEqual(['answered'])
})

const readyStatus = async (url: string) => (await fetch(`${url}/ready`).catch(() => undefined))?.status

test('a server that drains says so, and answers what comes and what waits', async () => {
  const { url, stop } = await startProcess(server, { DRAIN_SECONDS: '2', PLATFORM_API_KEY: platformKey })
  const stream = await fetch(`${url}/api/live`, { headers: { cookie } })
  const holder = await server.services.database.pool.connect()
  await holder.query(`BEGIN; SELECT FROM members WHERE id = 'locked' FOR UPDATE`)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const saving = makeCall(url, save('locked'), { agent })
  await expect
    .poll(() =>
      server.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
    )
    .toHaveLength(1)
  const stopped = stop()
  await expect.poll(() => readyStatus(url)).toBe(503)
  const late = await fetch(`${url}/api/users?search=nobody`, { headers: { cookie } })
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  // The port closes, and the change still waits.
  await expect.poll(() => readyStatus(url), { interval: 20 }).toBeUndefined()
  expect(await stream.text()).toMatch(/\n\nretry: \d{3,4}\n\n$/)
  await holder.query('COMMIT')
  holder.release()
  expect(await saving).toMatchObject({ outcome: 'acknowledged', status: 200 })
  expect(await stopped).toBe(0)
})

test('a second signal ends a stop at once', async () => {
  const { url, stop, signal } = await startProcess(server, { DRAIN_SECONDS: '300' })
  const stopped = stop()
  await expect.poll(() => readyStatus(url)).toBe(503)
  let code: number | null | undefined
  void stopped.then((ended) => (code = ended))
  // Those that come right after the first one count as the same Ctrl-C.
  await expect
    .poll(() => {
      if (code === undefined) signal('SIGTERM')
      return code
    })
    .toBe(1)
})

test('clients that call while a server starts do not hold it up', async () => {
  const port = await freePort()
  const outcomes = new Map<string, number>()
  const stopping = new AbortController()
  const call = () =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n'))
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
      socket.on('close', () => resolve('closed'))
      socket.on('data', () => resolve('answered') ?? socket.destroy())
    })
  const client = async () => {
    while (!stopping.signal.aborted) {
      const outcome = await call()
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const clients = Promise.all(Array.from({ length: 4 }, client))
  await startProcess(server, { PORT: String(port) })
  await expect.poll(() => outcomes.get('answered')).toBeGreaterThan(10)
  stopping.abort()
  await clients
  expect([...outcomes.keys()].toSorted()).toEqual(['ECONNREFUSED', 'answered'])
})
