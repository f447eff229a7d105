import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { startS3Gate } from '#test/support/s3-gate.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { createBucketStore, createFolderStore } from './file-store.ts'

const s3 = await startS3()
afterAll(() => s3.close())

const newName = () => randomBytes(32).toString('hex')
const listNames = async (store: ReturnType<typeof createBucketStore>) => {
  const names: string[] = []
  for await (const { name } of store.list()) names.push(name)
  return names.toSorted()
}

test('a bucket keeps, answers, lists and deletes bytes under their names', async () => {
  const store = createBucketStore(s3.bucket('whole/'))
  const [one, two] = [newName(), newName()]
  const bytes = randomBytes(300_000)
  await store.put(one, bytes)
  await store.put(two, Buffer.from('second'))
  expect(await store.get(one)).toEqual(bytes)
  expect(await store.get(one, 140)).toEqual(bytes.subarray(0, 140))
  expect([await store.has(one), await store.has(newName()), await store.get(newName())]).toEqual([true, false, null])
  expect(await listNames(store)).toEqual([one, two].toSorted())
  await store.put(two, Buffer.from('replaced'))
  expect(String(await store.get(two))).toBe('replaced')
  await store.delete(one)
  await store.delete(one)
  expect([await store.has(one), await listNames(store)]).toEqual([false, [two]])
})

test('folders of one bucket hold nothing of each other, and no mark counts as a file', async () => {
  const [mine, theirs] = [createBucketStore(s3.bucket('mine/')), createBucketStore(s3.bucket('theirs/'))]
  await mine.put(newName(), Buffer.from('x'))
  expect(await mine.readMark()).toBeNull()
  await mine.writeMark('mark-1')
  expect([await mine.readMark(), await theirs.readMark()]).toEqual(['mark-1', null])
  expect([await listNames(mine), await listNames(theirs)].map(({ length }) => length)).toEqual([1, 0])
})

test('a listing of more than a page is listed whole', async () => {
  const store = createBucketStore(s3.bucket('many/'))
  const names = Array.from({ length: 1003 }, newName).toSorted()
  for (let at = 0; at < names.length; at += 50)
    await Promise.all(names.slice(at, at + 50).map((name) => store.put(name, Buffer.from('x'))))
  expect(await listNames(store)).toEqual(names)
})

test.each(['a folder', 'a bucket'])('%s is listed by name, behind a name', async (what) => {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = what === 'a folder' ? createFolderStore(folder) : createBucketStore(s3.bucket('behind/'))
  const start = randomBytes(1).toString('hex')
  const names = Array.from({ length: 9 }, (_, n) => (n < 4 ? start : '') + newName().slice(n < 4 ? 2 : 0)).toSorted()
  for (const name of names.toReversed()) await store.put(name, Buffer.from('x'))
  const listed = async (after?: string) => {
    const found: string[] = []
    for await (const { name } of store.list(after)) found.push(name)
    return found
  }
  expect(await listed()).toEqual(names)
  for (const [n, name] of names.entries()) expect(await listed(name)).toEqual(names.slice(n + 1))
})

test('a name that is not a digest reaches no bucket', async () => {
  const store = createBucketStore(s3.bucket())
  for (const name of ['../secret', 'a'.repeat(63), `${'a'.repeat(64)}?acl`])
    await expect(store.get(name), name).rejects.toThrow('64 hexadecimal digits')
})

test.each([
  ['a wrong key', { secretAccessKey: 'wrong' }, /403/],
  ['a bucket that is not there', { bucket: 'elsewhere' }, /404 NoSuchBucket/],
])('%s is a store that cannot be reached, never a missing file', async (_what, given, reason) => {
  const store = createBucketStore({ ...s3.bucket(), ...given })
  for (const call of [
    () => store.get(newName()),
    () => store.has(newName()),
    () => store.put(newName(), Buffer.from('x')),
  ]) {
    const error = (await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )) as AppError
    expect([error.code, error.status, error.retryAfter]).toEqual(['store_unavailable', 503, 5])
    expect((error.cause as Error).message).toMatch(reason)
  }
})

test('a store that was away for a moment is asked again', async () => {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: s3.port })
  const store = createBucketStore({ ...s3.bucket('flaky/'), endpoint: `http://127.0.0.1:${proxy.port}` })
  const name = newName()
  const putting = store.put(name, randomBytes(100_000))
  proxy.cut()
  await putting
  expect((await store.get(name))!.length).toBe(100_000)
  await proxy.close()
  await expect(store.get(name)).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('a deletion is tried again only where the store says that it has not begun', async () => {
  const gate = await startS3Gate(s3.port)
  const store = createBucketStore({ ...s3.bucket('once/'), endpoint: gate.endpoint, pausesMs: [0, 0] })
  const tries = async (status: number) => {
    gate.seen.length = 0
    gate.answer = () => ({ status })
    await expect(store.delete(newName())).rejects.toMatchObject({ code: 'store_unavailable' })
    return gate.seen.length
  }
  expect([await tries(500), await tries(504), await tries(503), await tries(429)]).toEqual([1, 1, 3, 3])
  await gate.close()
})
