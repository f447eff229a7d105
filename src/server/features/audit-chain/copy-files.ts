import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import * as z from 'zod'
import type { SigningKey } from '#server/core/signing-keys.ts'
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
const endsFile = (folder: string) => join(folder, 'ends.jsonl')

/** The finished files of a folder in their order. Throws CommandError where one does not follow the one before, or is not signed by us. */
export function readEnds(keys: readonly SigningKey[], folder: string): FileEnd[] {
  const name = endsFile(folder)
  const lines = existsSync(name) ? readFileSync(name, 'utf8').split('\n').filter(Boolean) : []
  let next = 1n
  return lines.map((line, at) => {
    const end = parseLine(FileEnd, line)
    if (!end || !isOurs(keys, end)) throw new CommandError(`Line ${at + 1} of ${name} carries no valid signature`)
    if (BigInt(end.from) !== next || BigInt(end.seq) < next)
      throw new CommandError(`Line ${at + 1} of ${name} does not follow the one before`)
    next = BigInt(end.seq) + 1n
    return end
  })
}

/** Adds a finished file. The list is replaced whole, so that a crash leaves no half line. */
export function addEnd(folder: string, end: FileEnd): void {
  const name = endsFile(folder)
  const before = existsSync(name) ? readFileSync(name, 'utf8') : ''
  writeFileSync(`${name}.part`, `${before}${JSON.stringify(end)}\n`, { mode: 0o600, flush: true })
  renameSync(`${name}.part`, name)
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

/** Writes entries into a compressed file that has its name once it is whole and on the disk. Returns its digest. */
export async function writeEntries(folder: string, file: string, entries: AsyncIterable<CopiedEntry>): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, `${file}.part`)
  const digest = createHash('sha256')
  const handle = await open(part, 'w', 0o600)
  try {
    await pipeline(
      async function* lines() {
        for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
      },
      createZstdCompress(),
      async function* hash(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          digest.update(chunk)
          yield chunk
        }
      },
      handle.createWriteStream({ flush: true }),
    )
    await rename(part, join(folder, file))
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
  return digest.digest('hex')
}

/** The entries of a file. Throws CommandError where it is not whole. */
export async function* readEntries(folder: string, { file, sha256 }: FileEnd): AsyncGenerator<CopiedEntry> {
  const name = join(folder, file)
  if (!existsSync(name)) throw new CommandError(`${name} is missing`)
  const digest = createHash('sha256')
  const bytes = createReadStream(name)
  bytes.on('data', (chunk) => digest.update(chunk))
  const text = new PassThrough()
  const reading = pipeline(bytes, createZstdDecompress(), text)
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
  } catch {
    throw notWhole
  }
  if (digest.digest('hex') !== sha256) throw new CommandError(`${name} is not the file that was written`)
}
