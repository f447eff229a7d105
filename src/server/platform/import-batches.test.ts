import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import type { ImportResult } from '#contract/schemas/platform.ts'
import { contextFor } from '#server/core/context.ts'
import { createKey } from '#server/features/keys/keys.ts'
import { importHeaders, importUrl, buildMemberLine as member } from '#test/support/import.ts'
import { endLeases } from '#test/support/leases.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { startServer } from '#test/support/server.ts'
import { importStream } from './import.ts'

const server = await startServer()
const platform = contextFor(server.services, { kind: 'platform', name: 'PLATFORM_API_KEY', scopes })

/** Members, of whom each hundredth line is refused. */
const linesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    n % 100 === 99 ? 'nonsense' : JSON.stringify(member(`${name}-${n}`, { legalLastName: `Lima ${n}` })),
  )
const send = (batch: string, lines: string[], more: Record<string, string> = {}) =>
  server.as(null)('POST', `${importUrl}?batch=${batch}`, lines.join('\n'), { ...importHeaders, ...more })
const kept = async (key: string) =>
  (
    await server.sql<{ settled_lines: number; result: ImportResult; finished_at: Date | null }>(
      'SELECT settled_lines, result, finished_at FROM import_batches WHERE key = $1',
      [key],
    )
  )[0]!

/** Gives these lines, then fails as a broken connection does. */
async function* brokenAfter(lines: string[]) {
  yield Buffer.from(`${lines.join('\n')}\n`)
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

test('a batch sent again goes on behind the settled lines (product 10.3)', async () => {
  const lines = linesOf('a', 1800)
  const broken = importStream(platform, brokenAfter(lines.slice(0, 1300)), { batch: 'a' })
  await expect(broken).rejects.toMatchObject({
    status: 400,
    message:
      'The input broke off: lines 1 to 1000 stand; send all of it again with the same batch id to go on behind them',
  })
  expect(await kept('a')).toMatchObject({ settled_lines: 1000, finished_at: null })
  // What the console changed meanwhile would be changed back if the settled lines were served again.
  await server.sql(`UPDATE members SET legal_last_name = 'Changed' WHERE id = 'a-3'`)
  const reply = await send('a', lines)
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject({ accepted: 1782, created: 1782, unchanged: 0, updated: 0, refused: 18 })
  expect(reply.json().errors.map(({ line }: { line: number }) => line)).toEqual(
    Array.from({ length: 18 }, (_, n) => (n + 1) * 100),
  )
  expect(await server.sql(`SELECT legal_last_name AS name FROM members WHERE id = 'a-3'`)).toEqual([
    { name: 'Changed' },
  ])
  expect(await kept('a')).toMatchObject({ settled_lines: 1800, finished_at: expect.any(Date), result: reply.json() })
  const audits = await server.sql<{ details: object }>(
    `SELECT details FROM audit_log WHERE action = 'import' ORDER BY id DESC LIMIT 4`,
  )
  expect(audits.map(({ details }) => details)).toMatchObject([
    { batch: 'a', created: 1782 },
    { batch: 'a', begun: true },
    { batch: 'a', created: 990, stopped: expect.stringContaining('lines 1 to 1000') },
    { batch: 'a', begun: true },
  ])
})

test('a finished batch answers its stored result again', async () => {
  const lines = linesOf('f', 3)
  const first = await send('f', lines)
  await server.sql(`UPDATE members SET legal_last_name = 'Changed' WHERE id LIKE 'f-%'`)
  expect((await send('f', lines)).json()).toEqual(first.json())
  const body = gzipSync(`${lines.join('\n')}\n\n`)
  const packed = await server.as(null)('POST', importUrl, body, {
    ...importHeaders,
    'content-encoding': 'gzip',
    'idempotency-key': 'f',
  })
  expect([packed.statusCode, packed.json()]).toEqual([200, first.json()])
  expect(await server.sql(`SELECT DISTINCT legal_last_name AS name FROM members WHERE id LIKE 'f-%'`)).toEqual([
    { name: 'Changed' },
  ])
})

test('another file under the id of a batch is 409 before anything is written', async () => {
  const lines = linesOf('o', 1200)
  await expect(importStream(platform, brokenAfter(lines.slice(0, 600)), { batch: 'o' })).rejects.toThrow('500 stand')
  const other = ['{"type":"member","id":"o-other","email":"o-other@example.com"}', ...lines.slice(1)]
  const shorter = lines.slice(0, 400)
  for (const wrong of [other, shorter, []]) {
    const reply = await send('o', wrong)
    expect([reply.statusCode, reply.json()]).toEqual([
      409,
      { code: 'batch_differs', message: expect.stringContaining('lines 1 to 500 of o came before, and were others') },
    ])
  }
  expect(await kept('o')).toMatchObject({ settled_lines: 500 })
  expect((await send('o', lines)).statusCode).toBe(200)
  for (const wrong of [other, shorter, [...lines, JSON.stringify(member('o-more'))]])
    expect((await send('o', wrong)).statusCode).toBe(409)
  expect(await server.sql(`SELECT id FROM members WHERE id IN ('o-other', 'o-more')`)).toEqual([])
})

test('the second of two simultaneous imports with one id is 409', async () => {
  await createKey(server.system, { name: 'other', scopes })
  const second = await startSecondServer(server)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const lines = linesOf('t', 700)
  const first = importStream(
    platform,
    (async function* () {
      yield Buffer.from(`${lines.slice(0, 600).join('\n')}\n`)
      await held
      yield Buffer.from(lines.slice(600).join('\n'))
    })(),
    { batch: 't' },
  )
  try {
    await expect.poll(async () => (await server.sql(`SELECT FROM members WHERE id = 't-0'`)).length).toBe(1)
    const here = await send('t', lines)
    const there = await second.app.inject({
      method: 'POST',
      url: `${importUrl}?batch=t`,
      headers: importHeaders,
      payload: lines.join('\n'),
    })
    for (const reply of [here, there])
      expect([reply.statusCode, reply.json().message]).toEqual([
        409,
        'batch: t is being imported right now; send it again when that has ended',
      ])
    const otherKey = contextFor(server.services, { kind: 'platform', name: 'other', scopes })
    const underOther = importStream(otherKey, Readable.from(lines.join('\n')), { batch: 't' })
    await expect(underOther).rejects.toMatchObject({ code: 'import_under_way' })
    // A command's batch of the same name is another batch.
    const command = contextFor(server.services, { kind: 'command', name: 'npm run import' })
    expect(await importStream(command, Readable.from([JSON.stringify(member('t-x'))]), { batch: 't' })).toMatchObject({
      created: 1,
    })
  } finally {
    release()
    await second.close()
  }
  expect(await first).toMatchObject({ accepted: 693, refused: 7 })
  expect((await send('t', lines)).json()).toMatchObject({ accepted: 693, refused: 7 })
})

test('an invalid batch id, a differing key and a dry run of a batch are 400 (product 4.3)', async () => {
  expect((await send('bad%20id', [])).statusCode).toBe(400)
  expect((await send('one', [], { 'idempotency-key': 'two' })).json().message).toContain('Idempotency-Key')
  expect((await send('one', [], { 'idempotency-key': 'two words' })).statusCode).toBe(400)
  expect((await send('one&dryRun=true', [])).json().message).toContain('dry run')
  expect((await send('one&batch=two', [])).statusCode).toBe(400)
  const dry = await server.as(null)('POST', `${importUrl}?dryRun=true`, '', {
    ...importHeaders,
    'idempotency-key': 'k',
  })
  expect([dry.statusCode, dry.json().message]).toEqual([400, expect.stringMatching(/^Idempotency-Key: a dry run/)])
  expect((await send('same', ['nonsense'], { 'idempotency-key': 'same' })).json()).toMatchObject({ refused: 1 })
})

test('a fifth simultaneous batch is 503 with Retry-After (product 8.5)', async () => {
  const open = ['q1', 'q2', 'q3', 'q4'].map((batch) => ({ batch, source: new Readable({ read: () => {} }) }))
  const four = open.map(({ batch, source }) => importStream(platform, source, { batch }))
  const fifth = await send('q5', [])
  for (const { source } of open) source.push(null)
  await Promise.all(four)
  expect([fifth.statusCode, fifth.json().code, fifth.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
  expect((await send('q5', [])).statusCode).toBe(200)
})

test('an import that was overtaken stores nothing more', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const lines = linesOf('l', 700)
  const first = importStream(
    platform,
    (async function* () {
      yield Buffer.from(`${lines.slice(0, 600).join('\n')}\n`)
      await held
      yield Buffer.from(lines.slice(600).join('\n'))
    })(),
    { batch: 'l' },
  )
  const failed = expect(first).rejects.toMatchObject({
    code: 'import_under_way',
    message: expect.stringContaining('l has been gone on with from elsewhere'),
  })
  await expect.poll(async () => (await kept('l'))?.settled_lines).toBe(500)
  await endLeases(server)
  // The one that goes on has settled nothing yet, so that the settled lines are as the first one knows them.
  const source = new Readable({ read: () => {} })
  const next = importStream(platform, source, { batch: 'l' })
  const holders = async () => (await server.sql('SELECT FROM leases WHERE held_until > now()')).length
  await expect.poll(holders).toBe(1)
  release()
  await failed
  expect(await kept('l')).toMatchObject({ settled_lines: 500, finished_at: null })
  source.push(lines.join('\n'))
  source.push(null)
  expect(await next).toMatchObject({ accepted: 693, refused: 7 })
  expect(await server.sql('SELECT FROM leases')).toEqual([])
})
