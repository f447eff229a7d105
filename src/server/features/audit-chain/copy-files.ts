import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import * as z from 'zod'
import { StoreError } from '#server/adapters/object-path.ts'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import type { SigningKey } from '#server/core/signing-keys.ts'
import { AgeError, decryptAge, encryptAge } from '#server/lib/age.ts'
import { CommandError } from '#server/lib/command-error.ts'
import type { ChainHead } from './seal.ts'
import { Checkpoint, isOurs } from './checkpoints.ts'

/** An entry of the chain in a file: all that its MAC covers. */
export const CopiedEntry = z.object({
  seq: z.string(),
  auditId: z.string(),
  mac: z.string(),
  keyId: z.string(),
  /** What the row says, byte for byte as it was sealed. */
  content: z.string(),
})
export type CopiedEntry = z.infer<typeof CopiedEntry>

/** A finished file, in a line of `ends.jsonl`: a checkpoint of its last entry, with the file beside it. */
const FileEnd = Checkpoint.extend({ file: z.string().regex(/^[\w.-]+$/), from: z.string(), sha256: z.string() })
export type FileEnd = z.infer<typeof FileEnd>

/** The lines are checkpoints too, so `audit verify --checkpoints` compares the database with them. */
const endsFile = 'ends.jsonl'

/** The finished files of a copy in their order. Throws CommandError where one does not follow, or is not signed by us. */
export async function readEnds(keys: readonly SigningKey[], store: ObjectStore): Promise<FileEnd[]> {
  const text = (await store.read(endsFile))?.toString('utf8') ?? ''
  let next = 1n
  return text
    .split('\n')
    .filter(Boolean)
    .map((line, at) => {
      const name = `Line ${at + 1} of ${endsFile} in ${store.place}`
      const end = parseLine(FileEnd, line)
      if (!end || !isOurs(keys, end)) throw new CommandError(`${name} carries no valid signature`)
      if (BigInt(end.from) !== next || BigInt(end.seq) < next)
        throw new CommandError(`${name} does not follow the one before`)
      next = BigInt(end.seq) + 1n
      return end
    })
}

/** Adds a finished file. The list is replaced whole, since a bucket knows no appending. */
export async function addEnd(store: ObjectStore, end: FileEnd): Promise<void> {
  const before = (await store.read(endsFile)) ?? Buffer.alloc(0)
  await store.put(endsFile, Buffer.concat([before, Buffer.from(`${JSON.stringify(end)}\n`)]))
}

/** Undefined for what is not JSON, or another one. */
export function parseLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

export const headOf = ({ seq, auditId, mac }: CopiedEntry): ChainHead => ({
  seq: BigInt(seq),
  auditId,
  mac: Buffer.from(mac, 'hex'),
})

const hashInto = (digest: ReturnType<typeof createHash>) =>
  async function* hash(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      digest.update(chunk)
      yield chunk
    }
  }

const encryptedEnding = '.age'

/** Stores entries as a compressed file, encrypted for `recipients` where there are any, whole or not at all. */
export async function writeEntries(
  store: ObjectStore,
  name: string,
  entries: AsyncIterable<CopiedEntry>,
  recipients: readonly string[],
): Promise<{ file: string; sha256: string }> {
  const digest = createHash('sha256')
  const file = recipients.length > 0 ? `${name}${encryptedEnding}` : name
  await pipeline(
    async function* lines() {
      for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
    },
    createZstdCompress(),
    (bytes: AsyncIterable<Buffer>) => (recipients.length > 0 ? encryptAge(bytes, recipients) : bytes),
    hashInto(digest),
    (bytes: AsyncIterable<Buffer>) => store.put(file, bytes),
  )
  return { file, sha256: digest.digest('hex') }
}

/** The entries of a file. Throws CommandError where it is not whole. */
export async function* readEntries(
  store: ObjectStore,
  { file, sha256 }: FileEnd,
  identities: readonly string[],
): AsyncGenerator<CopiedEntry> {
  const name = `${file} in ${store.place}`
  const bytes = await store.get(file)
  if (!bytes) throw new CommandError(`${name} is missing`)
  const digest = createHash('sha256')
  const text = new PassThrough()
  const hashed = hashInto(digest)(bytes)
  const plain = file.endsWith(encryptedEnding) ? decryptAge(hashed, identities) : hashed
  const reading = pipeline(plain, createZstdDecompress(), text)
  // What fails also ends the lines, with the same error.
  reading.catch(() => {})
  const notWhole = new CommandError(`${name} is not whole`)
  try {
    for await (const line of createInterface({ input: text })) {
      const entry = parseLine(CopiedEntry, line)
      if (!entry) throw notWhole
      yield entry
    }
    await reading
  } catch (error) {
    if (error instanceof AgeError) throw new CommandError(`${name}: ${error.message}`)
    throw error instanceof StoreError ? error : notWhole
  }
  if (digest.digest('hex') !== sha256) throw new CommandError(`${name} is not the file that was written`)
}
