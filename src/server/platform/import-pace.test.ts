import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { contextFor } from '#server/core/context.ts'
import { createKey, revokeKey } from '#server/features/keys/keys.ts'
import { holdTimers } from '#test/support/held-timers.ts'
import { importHeaders, importUrl, buildMemberLine } from '#test/support/import.ts'
import { openSocket } from '#test/support/raw-calls.ts'
import { startServer } from '#test/support/server.ts'
import { importStream } from './import.ts'
import { limitPace } from '#server/lib/pace.ts'

const server = await startServer()
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo
const never = () => new Promise<never>(() => {})
const text = (lines: object[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
const members = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => buildMemberLine(`${name}-${n}`))

/** Sends the head of an import and these bytes, and no end; answers all that the server says before it hangs up. */
async function hold(query: string, body: Buffer): Promise<string> {
  const socket = openSocket(port)
  const head = Object.entries({ host: 'localhost', ...importHeaders, 'transfer-encoding': 'chunked' })
  socket.write(
    `POST ${importUrl}${query} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  socket.write(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]))
  let heard = ''
  socket.on('data', (bytes) => (heard += bytes))
  await once(socket, 'close')
  return heard
}

test('an import that is held open is 408 with the report so far', async () => {
  const patienceMs = 123_456
  const timers = holdTimers(patienceMs)
  // Each byte restores all patience, so that every wait has all of it.
  server.services.importPace = { patienceMs, bytesPerSecond: 1, maxMs: 3_600_000 }
  const answer = hold('?batch=held', text(members('held', 700)))
  await expect.poll(() => server.sql(`SELECT FROM members WHERE id LIKE 'held-%'`)).toHaveLength(500)
  await expect.poll(() => timers.count(patienceMs)).toBe(1)
  timers.end(patienceMs)
  const heard = await answer
  delete server.services.importPace
  expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({
    code: 'timeout',
    message:
      'The input came in too slowly: lines 1 to 500 stand; send all of it again with the same batch id to go on behind them',
    details: { accepted: 500, created: 500, refused: 0 },
  })
})

/** Only the sources below let time pass. */
function holdClock() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

/** The sender takes this long, once it is waited for. */
async function pass(ms: number) {
  await Promise.resolve()
  vi.advanceTimersByTime(ms)
}

test('trickling bytes use up the patience, a steady pace does not', async () => {
  holdClock()
  async function* trickle() {
    for (;;) {
      yield Buffer.from('x')
      await pass(20)
    }
  }
  const read = async (bytesPerSecond: number, most: number) => {
    let bytes = 0
    for await (const chunk of limitPace(trickle(), { patienceMs: 200, bytesPerSecond, maxMs: 60_000 })) {
      bytes += chunk.length
      if (bytes === most) return 'kept'
    }
  }
  await expect(read(1000, 1000)).rejects.toMatchObject({ code: 'timeout', message: 'The input came in too slowly' })
  expect(await read(1, 30)).toBe('kept')
})

test('an import ends at its deadline, whether its sender is quick or silent', async () => {
  holdClock()
  async function* endless() {
    for (;;) {
      yield Buffer.from('x'.repeat(1000))
      await pass(1)
    }
  }
  async function* silent() {
    yield Buffer.from('x')
    await pass(50)
    await never()
  }
  for (const source of [endless(), silent()]) {
    const read = async () => {
      for await (const _ of limitPace(source, { patienceMs: 60_000, bytesPerSecond: 1, maxMs: 50 }));
    }
    await expect(read()).rejects.toMatchObject({ code: 'timeout', message: 'It took too long in all' })
  }
})

test.each(['revoked', 'expired'])('after it is %s, a key writes nothing more of the import it began', async (end) => {
  const name = `key-${end}`
  await createKey(server.system, { name })
  const key = contextFor(server.services, { kind: 'platform', name, scopes })
  let isWritten = () => {}
  const written = new Promise<void>((resolve) => (isWritten = resolve))
  async function* source() {
    yield text(members(name, 600))
    yield text(members(`${name}-more`, 500))
    await written
    if (end === 'revoked') await revokeKey(server.system, name)
    else await server.sql(`UPDATE platform_keys SET expires_at = now() - interval '1 second' WHERE name = $1`, [name])
    yield text(members(`${name}-late`, 2000))
  }
  const progress: number[] = []
  const importing = importStream(key, source(), {
    batch: name,
    onProgress: ({ lines }) => {
      progress.push(lines)
      if (progress.length === 2) isWritten()
    },
  })
  const stopped = await importing.then(() => null).catch((error: unknown) => error)
  expect(stopped).toMatchObject({
    code: 'unauthorized',
    message: `Unauthorized: The platform key ${name} is not valid any more: lines 1 to ${progress.at(-1)} stand; send all of it again with the same batch id to go on behind them`,
  })
  expect(await server.sql(`SELECT FROM members WHERE id LIKE $1`, [`${name}-late-1%`])).toEqual([])
  // As the message says, also under the key that replaces it.
  await createKey(server.system, { name: `${name}-next` })
  const next = contextFor(server.services, { kind: 'platform', name: `${name}-next`, scopes })
  async function* again() {
    yield text(members(name, 600))
    yield text(members(`${name}-more`, 500))
    yield text(members(`${name}-late`, 2000))
  }
  expect(await importStream(next, again(), { batch: name })).toMatchObject({ created: 3100, unchanged: 0 })
})

test('one key fills its own places for batches, and no other key waits for them', async () => {
  const importAs = (name: string, batch: string, source: AsyncIterable<Buffer>) =>
    importStream(contextFor(server.services, { kind: 'platform', name, scopes }), source, { batch })
  await createKey(server.system, { name: 'quick' })
  await createKey(server.system, { name: 'slow' })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const source = (name: string) =>
    (async function* () {
      yield text(members(name, 1))
      await held
    })()
  const slow = Array.from({ length: 4 }, (_, n) => importAs('slow', `s-${n}`, source(`s-${n}`)))
  await expect(importAs('slow', 's-5', source('s-5'))).rejects.toMatchObject({ code: 'overloaded' })
  async function* whole() {
    yield text(members('quick', 3))
  }
  expect(await importAs('quick', 'q-1', whole())).toMatchObject({ created: 3 })
  release()
  await Promise.all(slow)
})
