import { crc32 } from 'node:zlib'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { statementLimits, StatementTooLargeError } from './limits.ts'
import { StatementError } from './statement.ts'

/** `ratio`: how many times larger a file may become. More is a bomb, not a statement. */
export const zipLimits = { entries: 200, ratio: 100 }

/** Folders, and what macOS adds for itself. */
const isNoFile = (name: string) => name === '' || name.endsWith('/') || name.startsWith('__MACOSX/')

function checkEntry(entry: Entry): void {
  if (entry.isEncrypted()) throw new StatementError('the file is encrypted')
  if (!entry.canDecodeFileData()) throw new StatementError('the file is packed in a way that is not known')
  if (entry.uncompressedSize > zipLimits.ratio * entry.compressedSize) {
    throw new StatementError(`the file becomes more than ${zipLimits.ratio} times larger when it is unpacked`)
  }
}

/** The bytes of an entry as they are unpacked. Throws at the end where they are not those that were packed. */
async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0
  try {
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw new StatementError(`the file is damaged: ${messageOf(error)}`)
  }
  if (sum !== entry.crc32) throw new StatementError('the file is damaged: its checksum is wrong')
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Calls `read` for each file of a zip in turn. An error names the file in which it arose. */
export async function readZip(
  bytes: Uint8Array,
  read: (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let total = 0
  for (const { zip, entry } of await listEntries(buffer)) {
    const name = entry.fileName.slice(0, 100).toWellFormed()
    total += entry.uncompressedSize
    if (total > statementLimits.bytes) throw new StatementTooLargeError()
    try {
      checkEntry(entry)
      await read(name, unpack(zip, entry))
    } catch (error) {
      throw error instanceof StatementError ? error.inFile(name) : error
    }
  }
}

/** The files of a zip. Its directory stands at its end, so they are known before any is unpacked. */
async function listEntries(buffer: Buffer): Promise<{ zip: ZipFile; entry: Entry }[]> {
  const files: { zip: ZipFile; entry: Entry }[] = []
  try {
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false })
    let count = 0
    for await (const entry of zip.eachEntry()) {
      count += 1
      if (count > zipLimits.entries) throw new StatementError(`A zip has at most ${zipLimits.entries} files`)
      if (!isNoFile(entry.fileName)) files.push({ zip, entry })
    }
  } catch (error) {
    throw error instanceof StatementError ? error : new StatementError(`The zip is damaged: ${messageOf(error)}`)
  }
  return files
}
