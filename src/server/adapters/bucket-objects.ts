import { type BucketCaller, type BucketSettings, createBucketCaller } from './bucket-calls.ts'
import { putInParts, putWhole } from './bucket-upload.ts'
import { readListing, type Listing, readUploads } from './bucket-xml.ts'
import { isObjectPath, requireObjectPath } from './object-path.ts'
import type { ObjectStore } from './object-store.ts'

/** What is read by one request. A reader may take hours between two, since no connection stays open. */
const pieceBytes = 8 * 1024 * 1024
const deletionsAtATime = 8
/** For one try of a deletion that nobody repeats, since a lock is held meanwhile. */
const deletionMs = 10_000

/** A bucket of a store that speaks S3. No request needs a condition or a version. */
export function createBucketObjects(settings: BucketSettings): ObjectStore {
  const { bucket, prefix } = settings
  const caller = createBucketCaller(settings, `s3://${bucket}/${prefix}`)
  const { place, call } = caller
  const keyOf = (path: string) => `/${prefix}${requireObjectPath(path)}`
  const pathOf = (key: string) => (key.startsWith(prefix) ? key.slice(prefix.length) : '')
  const list = async function* (after?: string) {
    for await (const { objects } of listPages(caller, { prefix, ...(after && { after: prefix + after }) }))
      for (const { key, size, changedAt } of objects) {
        const path = pathOf(key)
        if (isObjectPath(path)) yield { path, size, changedAt }
      }
  }
  const remove = async (path: string, isOnce?: boolean) =>
    void (await call(keyOf(path), { method: 'DELETE', ...(isOnce && { isOnce, timeoutMs: deletionMs }) }))
  return {
    place,
    async put(path, content, options = {}) {
      if (Buffer.isBuffer(content)) await putWhole(caller, keyOf(path), content, options)
      else await putInParts(caller, keyOf(path), content, options.signal)
    },
    async get(path) {
      const first = await readPiece(caller, keyOf(path), 0, pieceBytes)
      return first && readOn(caller, keyOf(path), first)
    },
    async read(path, most) {
      if (most !== undefined) return (await readPiece(caller, keyOf(path), 0, most))?.bytes.subarray(0, most) ?? null
      const { status, body } = await call(keyOf(path))
      return status === 404 ? missing(caller, body) : body
    },
    async has(path) {
      const { status } = await call(keyOf(path), { method: 'HEAD' })
      // The answer to a HEAD has no body, which would tell a missing bucket from a missing object.
      return status !== 404 || (await readPiece(caller, keyOf(path), 0, 1)) !== null
    },
    delete: (path, { isOnce } = {}) => remove(path, isOnce),
    list,
    async listFolders() {
      const names: string[] = []
      for await (const { prefixes } of listPages(caller, { prefix, delimiter: '/' }))
        names.push(...prefixes.map((each) => pathOf(each).slice(0, -1)))
      return names.filter(isObjectPath)
    },
    within: (folder) => createBucketObjects({ ...settings, prefix: `${prefix}${requireObjectPath(folder)}/` }),
    async deleteAll(last) {
      await deleteUploads(caller, prefix)
      let paths: string[] = []
      const flush = async () => {
        await Promise.all(paths.map((path) => remove(path)))
        paths = []
      }
      for await (const { path } of list()) {
        if (path !== last) paths.push(path)
        if (paths.length === deletionsAtATime) await flush()
      }
      await flush()
      await remove(last)
    },
  }
}

/** Null for an object that is not there. Throws StoreError where the bucket is not. */
function missing({ refuse }: BucketCaller, body: Buffer): null {
  const text = body.toString('utf8', 0, 2000)
  if (/<Code>NoSuchBucket<\/Code>/.test(text)) throw refuse(404, text)
  return null
}

interface Piece {
  bytes: Buffer
  /** Of the whole object. */
  total: number
}

async function readPiece(caller: BucketCaller, key: string, from: number, length: number): Promise<Piece | null> {
  const headers = { range: `bytes=${from}-${from + length - 1}` }
  const { status, headers: answer, body } = await caller.call(key, { headers })
  if (status === 404) return missing(caller, body)
  // An object without bytes has no range.
  if (status === 416) return { bytes: Buffer.alloc(0), total: from }
  const total = /\/(\d+)$/.exec(answer.get('content-range') ?? '')?.[1]
  return { bytes: body, total: total === undefined ? body.length : Number(total) }
}

async function* readOn(caller: BucketCaller, key: string, first: Piece): AsyncGenerator<Buffer> {
  yield first.bytes
  for (let at = first.bytes.length; at < first.total;) {
    const piece = await readPiece(caller, key, at, pieceBytes)
    if (!piece || piece.bytes.length === 0) throw caller.refuse(404, '<Code>NoSuchKey</Code>')
    yield piece.bytes
    at += piece.bytes.length
  }
}

/** Version 1 of the listing pages by name, which is all that is needed here, and every store knows it. */
async function* listPages(
  { call, refuse }: BucketCaller,
  { prefix, delimiter, after }: { prefix: string; delimiter?: string; after?: string },
): AsyncGenerator<Listing> {
  let marker = after
  do {
    const query = new URLSearchParams({
      ...(delimiter && { delimiter }),
      ...(marker !== undefined && { marker }),
      ...(prefix && { prefix }),
    })
    const { status, body } = await call(`?${query}`)
    if (status === 404) throw refuse(404, body.toString('utf8', 0, 2000))
    const listing = readListing(body.toString('utf8'))
    yield listing
    marker = listing.next
  } while (marker !== undefined)
}

/** A store that cannot list uploads keeps them until its own rules delete them. */
async function deleteUploads({ call }: BucketCaller, prefix: string): Promise<void> {
  const found = await call(`?${new URLSearchParams({ uploads: '', ...(prefix && { prefix }) })}`).catch(() => null)
  if (found?.status !== 200) return
  for (const { key, id } of readUploads(found.body.toString('utf8')))
    if (key.startsWith(prefix))
      await call(`/${key}?${new URLSearchParams({ uploadId: id })}`, { method: 'DELETE' }).catch(() => {})
}
