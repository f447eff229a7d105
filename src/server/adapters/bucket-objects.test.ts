import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startS3Gate } from '#test/support/s3-gate.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { createBucketObjects } from './bucket-objects.ts'

const s3 = await startS3()
const gate = await startS3Gate(s3.port)
afterAll(async () => {
  await gate.close()
  await s3.close()
})
const open = (prefix: string, more: object = {}) =>
  createBucketObjects({ ...s3.bucket(prefix), endpoint: gate.endpoint, pausesMs: [5], ...more })

beforeEach(() => {
  gate.seen.length = 0
  gate.answer = () => undefined
})

const MB = 1024 * 1024
/** In chunks as they come from a stream. */
async function* inChunks(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000)
}
const parts = () => gate.seen.filter((text) => text.includes('partNumber='))
const listPaths = async (store: ReturnType<typeof open>) => {
  const found: string[] = []
  for await (const { path } of store.list()) found.push(path)
  return found.toSorted()
}

test.each([
  ['a few bytes', 10, 0],
  ['one part', 8 * MB, 0],
  ['a byte more', 8 * MB + 1, 2],
  ['three parts', 20 * MB, 3],
])('a stream of %s is stored and read back as it was', async (_what, length, ofParts) => {
  const store = open('streams/')
  const bytes = randomBytes(length)
  await store.put(`of-${length}`, inChunks(bytes))
  expect(parts().length).toBe(ofParts)
  expect((await buffer((await store.get(`of-${length}`))!)).equals(bytes)).toBe(true)
})

test('an object without bytes, of which no range can be had, is read as nothing', async () => {
  const store = open('empty/')
  async function* nothing(): AsyncGenerator<Buffer> {}
  await store.put('x', nothing())
  gate.answer = (text) => (text.startsWith('GET') ? { status: 416, body: '<Code>InvalidRange</Code>' } : undefined)
  expect((await buffer((await store.get('x'))!)).length).toBe(0)
})

test('a stream that is cut off stores nothing, and its parts are given back', async () => {
  const store = open('cut/')
  async function* broken() {
    yield randomBytes(20 * MB)
    throw new Error('the disk is gone')
  }
  await expect(store.put('table', broken())).rejects.toThrow('the disk is gone')
  expect(await store.has('table')).toBe(false)
  expect(gate.seen).toContainEqual(expect.stringMatching(/^DELETE \/documents\/cut\/table\?uploadId=\w+$/))
})

test('a put that is told to stop ends at once, while the store says nothing', async () => {
  gate.answer = (text) => (text.startsWith('PUT') ? {} : undefined)
  const stopping = new AbortController()
  const putting = open('stopped/').put('x', Buffer.from('x'), { signal: stopping.signal })
  await expect.poll(() => gate.seen.length).toBe(1)
  stopping.abort(new Error('the server stops'))
  await expect(putting).rejects.toThrow('the server stops')
})

test.each([
  [
    'a full store',
    { status: 507, body: '<Code>InsufficientStorage</Code>' },
    'it answered 507 InsufficientStorage',
    {},
  ],
  ['a store that refuses', { status: 403, body: '<Code>AccessDenied</Code>' }, 'it answered 403 AccessDenied', {}],
  ['a slow store', {}, 'it took too long', { tryMs: 100 }],
])('%s says why nothing was stored', async (_what, own, reason, patience) => {
  gate.answer = (text) => (text.startsWith('PUT') ? own : undefined)
  const putting = open('refused/', patience).put('big', inChunks(randomBytes(9 * MB)))
  await expect(putting).rejects.toThrow(`the store s3://documents/refused/ cannot be used: ${reason}`)
})

test('a store that is busy for a moment is asked again', async () => {
  let isBusy = true
  gate.answer = () => (isBusy ? ((isBusy = false), { status: 503, body: '<Code>SlowDown</Code>' }) : undefined)
  await open('busy/').put('x', Buffer.from('x'))
  expect(gate.seen).toEqual(['PUT /documents/busy/x', 'PUT /documents/busy/x'])
})

test('an upload whose completion fails after its 200 counts as failed', async () => {
  gate.answer = (text) =>
    /^POST .*uploadId/.test(text) ? { status: 200, body: '<Error><Code>InternalError</Code></Error>' } : undefined
  await expect(open('late/').put('big', inChunks(randomBytes(9 * MB)))).rejects.toThrow('InternalError')
})

test('an upload that was completed counts, though the answer was lost', async () => {
  let completions = 0
  const store = open('lost/')
  await store.put('big', Buffer.from('as if completed'))
  gate.answer = (text) =>
    /^POST .*uploadId/.test(text)
      ? completions++ === 0
        ? { status: 503 }
        : { status: 404, body: '<Code>NoSuchUpload</Code>' }
      : undefined
  await store.put('big', inChunks(randomBytes(9 * MB)))
  expect(completions).toBe(2)
})

test('a folder of a bucket is listed and emptied with its cut-off uploads', async () => {
  const all = open('kept/')
  const inside = all.within('one')
  for (const path of ['MARK', 'a', 'tables/b']) await inside.put(path, Buffer.from(path))
  await all.within('one-more').put('c', Buffer.from('c'))
  await all.put('beside', Buffer.from('d'))
  expect((await all.listFolders()).toSorted()).toEqual(['one', 'one-more'])
  expect(await listPaths(inside)).toEqual(['MARK', 'a', 'tables/b'])
  gate.answer = (text) => {
    if (text.includes('?uploads=&prefix=kept/one/'))
      return {
        status: 200,
        body: '<R><Upload><Key>kept/one/x</Key><UploadId>u1</UploadId></Upload><Upload><Key>elsewhere</Key><UploadId>u2</UploadId></Upload></R>',
      }
    return text.includes('uploadId=') ? { status: 204 } : undefined
  }
  await inside.deleteAll('MARK')
  expect(gate.seen.filter((text) => text.startsWith('DELETE')).at(-1)).toBe('DELETE /documents/kept/one/MARK')
  expect(gate.seen.filter((text) => text.includes('uploadId='))).toEqual(['DELETE /documents/kept/one/x?uploadId=u1'])
  gate.answer = () => undefined
  expect(await listPaths(all)).toEqual(['beside', 'one-more/c'])
})

test('a path that leads out of the place reaches no bucket', async () => {
  const store = open('inside/')
  for (const path of ['../x', 'a/../../x', '/x', 'a//b', 'x?acl', 'tables/.'])
    await expect(async () => store.put(path, Buffer.from('x')), path).rejects.toThrow(
      'is not a path of a stored object',
    )
  expect(gate.seen).toEqual([])
})
