import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveList } from '#contract/live.ts'
import { LiveEvent } from '#contract/schemas/live.ts'
import { announce } from '#server/core/audit.ts'
import { endAllSessions } from '#server/features/auth/admins.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { startServer } from '#test/support/server.ts'

// The hub beats by this clock; nothing else does.
vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

const server = await startServer()
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
await server.addOperator('ada', 'super_admin')

/** A session that was not announced by a sign-in of its own, so that the streams hear only what a test does. */
async function signIn() {
  const token = randomUUID()
  await server.sql(
    `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
     SELECT $1, id, '127.0.0.1', 'test' FROM admins WHERE username = 'ada'`,
    [createHash('sha256').update(token).digest()],
  )
  return `sid=${token}`
}

interface Block {
  event: string
  id: string | undefined
  data: LiveEvent | undefined
}
const opened: AbortController[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.abort()
})

/** Opens a stream as a browser does; `next` waits for the next event, `end` for the end of the stream. */
async function open(cookie: string, headers: Record<string, string> = {}, at = address) {
  const leaving = new AbortController()
  opened.push(leaving)
  const reply = await fetch(`${at}/api/live`, { headers: { cookie, ...headers }, signal: leaving.signal })
  const blocks = readBlocks(reply)
  return {
    reply,
    leave: () => leaving.abort(),
    next: async (): Promise<Block> => {
      const { value, done } = await blocks.next()
      if (done) throw new Error('the stream has ended')
      return value
    },
    end: async () => expect((await blocks.next()).done).toBe(true),
  }
}
async function* readBlocks(reply: Response): AsyncGenerator<Block, void> {
  let text = ''
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      )
      text = text.slice(end + 2)
      if (!fields.has('data')) continue
      const event = fields.get('event') ?? 'message'
      const data = event === 'message' ? LiveEvent.parse(JSON.parse(fields.get('data')!)) : undefined
      yield { event, id: fields.get('id'), data }
    }
  }
}
const change = (...lists: LiveList[]) => server.services.database.transaction((tx) => announce(tx, ...lists))
const cutListener = () =>
  server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'back-office live' AND datname = current_database()`)

/** Reads on until these lists were named; answers how many events that took. */
async function readEvents(stream: { next: () => Promise<Block> }, ...lists: LiveList[]): Promise<number> {
  const missing = new Set(lists)
  for (let events = 1; ; events++) {
    const { data } = await stream.next()
    if (data?.type === 'changed') for (const list of data.lists) missing.delete(list)
    if (missing.size === 0) return events
  }
}

// What a test before left to be told is told before the next begins.
beforeEach(async () => {
  const stream = await open(await signIn())
  await stream.next()
  await change('security')
  await readEvents(stream, 'security')
})

describe('GET /api/live', () => {
  test('is an event stream with every security header that begins with a heartbeat', async () => {
    const { reply, next } = await open(await signIn())
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    expect(await next()).toMatchObject({ event: 'heartbeat', id: expect.stringMatching(/^[0-9a-f]{8}-\d+$/) })
  })

  test('without a session is 401 (product 8.5)', async () => {
    const { reply } = await open('sid=unknown')
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ code: 'unauthorized' })
  })

  test('the stream names the lists of a committed change and nothing of an undone one (product 3.4)', async () => {
    const { next } = await open(await signIn())
    await next()
    const undone = server.services.database.transaction(async (tx) => {
      await announce(tx, 'transactions')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await change('users', 'analytics')
    expect((await next()).data).toEqual({ type: 'changed', lists: ['users', 'analytics'] })
  })

  test('every audit row and security event is announced', async () => {
    const cookie = await signIn()
    const stream = await open(cookie)
    await stream.next()
    await server.as(null)('POST', '/api/auth/login', { username: 'ada', password: 'a wrong one' })
    await readEvents(stream, 'logs', 'security')
  })

  test('a change on another server arrives as well', async () => {
    const second = await startSecondServer(server)
    const { next } = await open(await signIn(), {}, await second.app.listen({ port: 0, host: '127.0.0.1' }))
    await next()
    await change('transactions')
    expect((await next()).data).toEqual({ type: 'changed', lists: ['transactions'] })
    await second.close()
  })

  test('a known Last-Event-ID gets what was missed, an unknown one resync', async () => {
    const cookie = await signIn()
    const first = await open(cookie)
    const { id } = await first.next()
    first.leave()
    const witness = await open(cookie)
    await witness.next()
    await change('users')
    await witness.next()
    await change('transactions')
    const { id: latest } = await witness.next()

    const resumed = await open(cookie, { 'last-event-id': id! })
    expect(await resumed.next()).toMatchObject({ event: 'heartbeat', id: undefined })
    expect(await resumed.next()).toEqual({
      event: 'message',
      id: latest,
      data: { type: 'changed', lists: ['users', 'transactions'] },
    })
    const upToDate = await open(cookie, { 'last-event-id': latest! })
    expect(await upToDate.next()).toMatchObject({ event: 'heartbeat', id: latest })
    const unknown = await open(cookie, { 'last-event-id': '00000000-1' })
    await unknown.next()
    expect(await unknown.next()).toMatchObject({ id: latest, data: { type: 'resync' } })
  })

  test('every stream resyncs after the database connection broke', async () => {
    const { next } = await open(await signIn())
    await next()
    await cutListener()
    expect((await next()).data).toEqual({ type: 'resync' })
    await change('users')
    expect((await next()).data).toEqual({ type: 'changed', lists: ['users'] })
  })

  test('sends a heartbeat every 15 seconds', async () => {
    const { next } = await open(await signIn())
    await next()
    vi.advanceTimersByTime(15_000)
    expect((await next()).event).toBe('heartbeat')
    vi.advanceTimersByTime(15_000)
    expect((await next()).event).toBe('heartbeat')
  })

  test('a session has at most ten streams', async () => {
    const cookie = await signIn()
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(cookie)))
    expect(streams.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 10 }, () => 200))
    const { reply } = await open(cookie)
    expect(reply.status).toBe(429)
    expect(reply.headers.get('retry-after')).toBe('30')
    streams[0]?.leave()
    await expect.poll(async () => (await open(cookie)).reply.status).toBe(200)
  })
})

describe('the stream ends with the session (product 2.2)', () => {
  test('when it signs out, and another session of the same admin goes on', async () => {
    const [cookie, other] = [await signIn(), await signIn()]
    const [stream, stays] = [await open(cookie), await open(other)]
    await stream.next()
    await stays.next()
    await server.as(null)('POST', '/api/auth/logout', undefined, { cookie })
    let last = await stream.next()
    if (last.data?.type === 'changed') last = await stream.next()
    expect(last.data).toEqual({ type: 'end' })
    await stream.end()
    expect((await stays.next()).data).toEqual({ type: 'changed', lists: ['logs'] })
    expect((await open(cookie)).reply.status).toBe(401)
  })

  test('when a command or a new password ends it', async () => {
    const { next, end } = await open(await signIn())
    await next()
    await endAllSessions(server.system, 'ada')
    for (let block = await next(); block.data?.type !== 'end';) block = await next()
    await end()
  })

  test('when another session of the same admin ends it (product 5.15)', async () => {
    const [cookie, other] = [await signIn(), await signIn()]
    const { next, end } = await open(cookie)
    await next()
    await server.as(null)('DELETE', '/api/account/sessions', undefined, { cookie: other })
    for (let block = await next(); block.data?.type !== 'end';) block = await next()
    await end()
    expect((await open(cookie)).reply.status).toBe(401)
  })

  test('when it times out: the stream is not activity and notices within 15 seconds', async () => {
    const { next, end } = await open(await signIn())
    await next()
    await server.sql(`UPDATE sessions SET last_active_at = now() - interval '29 minutes'`)
    const before = await server.sql('SELECT last_active_at FROM sessions')
    vi.advanceTimersByTime(15_000)
    expect((await next()).event).toBe('heartbeat')
    expect(await server.sql('SELECT last_active_at FROM sessions')).toEqual(before)
    await server.sql(`UPDATE sessions SET last_active_at = now() - interval '31 minutes'`)
    vi.advanceTimersByTime(15_000)
    expect((await next()).event).toBe('heartbeat')
    expect((await next()).data).toEqual({ type: 'end' })
    await end()
  })

  test('when its end was announced while the connection to the database was broken', async () => {
    const { next, end } = await open(await signIn())
    await next()
    await server.sql(`DELETE FROM sessions`)
    await cutListener()
    expect((await next()).data).toEqual({ type: 'resync' })
    expect((await next()).data).toEqual({ type: 'end' })
    await end()
  })
})

describe('what cannot be waited for', () => {
  test('the server closes although streams are open', async () => {
    const second = await startSecondServer(server)
    const streams = [await open(await signIn(), {}, await second.app.listen({ port: 0, host: '127.0.0.1' }))]
    await streams[0]?.next()
    await second.close()
    await streams[0]?.end()
    expect(
      await server.sql(
        `SELECT FROM pg_stat_activity WHERE application_name = 'back-office live' AND datname = current_database()`,
      ),
    ).toHaveLength(1)
  })

  test('a client that goes away in the middle of the opening leaves nothing behind', async () => {
    const cookie = await signIn()
    const { port, hostname } = new URL(address)
    for (let at = 0; at < 12; at++) {
      const socket = connectSocket(Number(port), hostname)
      socket.end(`GET /api/live HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
      await once(socket, 'connect')
      socket.destroy()
    }
    await expect.poll(async () => (await open(cookie)).reply.status).toBe(200)
  })
})
