import type { BucketCaller } from './bucket-calls.ts'
import type { PutOptions } from './object-store.ts'
import { buildCompletion, readText } from './bucket-xml.ts'

/** All parts but the last one have this size. A store takes 10,000 of them, so an object has 80 GB at most. */
const partBytes = 8 * 1024 * 1024
const mostAllocations = 10_000
/** A store may put parts together for minutes before it answers. */
const completionMs = 600_000

/** Bytes in parts of one size; the last one is smaller. Nothing gives no part. */
async function* cutParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    let rest = chunk
    while (length + rest.length >= partBytes) {
      const end = partBytes - length
      yield Buffer.concat([...gathered, rest.subarray(0, end)])
      rest = rest.subarray(end)
      gathered = []
      length = 0
    }
    if (rest.length > 0) gathered.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(gathered)
}

/** Stores bytes under a key by one request. */
export async function putWhole(
  { call, refuse }: BucketCaller,
  key: string,
  body: Buffer,
  options: PutOptions,
): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  const { status } = await call(key, { ...options, method: 'PUT', body, headers })
  // A bucket that is not there answers 404.
  if (status === 404) throw refuse(404, '<Code>NoSuchBucket</Code>')
}

/** Stores a stream under a key: by one request if it is small, else in parts, which become an object at the end or are given back. */
export async function putInParts(
  caller: BucketCaller,
  key: string,
  source: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const parts = cutParts(source)
  try {
    const first = await parts.next()
    const second = first.done ? first : await parts.next()
    if (second.done) await putWhole(caller, key, first.value ?? Buffer.alloc(0), { signal })
    else await upload(caller, key, startWith([first.value!, second.value], parts), signal)
  } finally {
    await parts.return(undefined)
  }
}

async function* startWith(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}

async function upload(
  caller: BucketCaller,
  key: string,
  parts: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begun = await caller.call(`${key}?uploads=`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    signal,
  })
  const id = readText(begun.body.toString('utf8'), 'UploadId')
  if (begun.status !== 200 || id === undefined) throw caller.refuse(begun.status, begun.body.toString('utf8', 0, 2000))
  try {
    await complete(caller, { key, id, tags: await sendParts(caller, { key, id }, parts, signal), signal })
  } catch (error) {
    await caller.call(`${key}?${new URLSearchParams({ uploadId: id })}`, { method: 'DELETE' }).catch(() => {})
    throw error
  }
}

interface Upload {
  key: string
  id: string
}

/** Sends a part while the next one is gathered. Returns what the store calls each. */
async function sendParts(
  caller: BucketCaller,
  { key, id }: Upload,
  parts: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const tags: string[] = []
  let sending: Promise<string> | undefined
  const send = async (body: Buffer, number: number): Promise<string> => {
    if (number > mostAllocations) throw caller.refuse(400, '<Code>EntityTooLarge</Code>')
    const query = new URLSearchParams({ partNumber: String(number), uploadId: id })
    const { status, headers, body: text } = await caller.call(`${key}?${query}`, { method: 'PUT', body, signal })
    const tag = headers.get('etag')
    if (status !== 200 || tag === null) throw caller.refuse(status, text.toString('utf8', 0, 2000))
    return tag
  }
  let number = 0
  for await (const part of parts) {
    if (sending) tags.push(await sending)
    number++
    sending = send(part, number)
    // Its error comes when it is waited for.
    sending.catch(() => {})
  }
  if (sending) tags.push(await sending)
  return tags
}

async function complete(
  caller: BucketCaller,
  { key, id, tags, signal }: Upload & { tags: string[]; signal: AbortSignal | undefined },
): Promise<void> {
  const { status, body } = await caller.call(`${key}?${new URLSearchParams({ uploadId: id })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(buildCompletion(tags)),
    signal,
    timeoutMs: completionMs,
  })
  const text = body.toString('utf8', 0, 2000)
  // A try whose answer was lost has put it together already, and the upload no longer exists.
  if (status === 404 && (await caller.call(key, { method: 'HEAD' })).status === 200) return
  // A store may find out after it has said 200.
  if (status !== 200 || text.includes('<Error>')) throw caller.refuse(status, text)
}
