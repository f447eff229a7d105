/** A file or a folder of an archive in the form that `tar` reads (ustar). */
export type TarEntry =
  | { kind: 'folder'; path: string }
  /** Gives at most `size` bytes; what is missing of them is zeros. */
  | { kind: 'file'; path: string; size: number; open: () => AsyncIterable<Buffer> }

const block = 512
const zeros = Buffer.alloc(block)
const padding = (size: number) => (block - (size % block)) % block

function buildHeader(path: string, size: number, isFolder: boolean): Buffer {
  if (Buffer.byteLength(path) > 99) throw new Error(`${path} is too long for an archive`)
  const header = Buffer.alloc(block)
  header.write(path, 0)
  header.write(isFolder ? '0000700\0' : '0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${'0'.repeat(11)}\0`, 136)
  header.write(' '.repeat(8), 148)
  header.write(isFolder ? '5' : '0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Writes an archive. A file that grows or shrinks meanwhile has the size that it was announced with. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    if (entry.kind === 'folder') {
      yield buildHeader(`${entry.path}/`, 0, true)
      continue
    }
    yield buildHeader(entry.path, entry.size, false)
    let left = entry.size
    for await (const chunk of entry.open()) {
      const part = chunk.subarray(0, left)
      if (part.length > 0) yield part
      left -= part.length
      if (left === 0) break
    }
    for (left += padding(entry.size); left > 0; left -= block) yield zeros.subarray(0, Math.min(left, block))
  }
  yield Buffer.alloc(2 * block)
}

/** Reads so many bytes at a time of a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** At most `most` bytes. Null at the end. */
  async read(most: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next()
      if (next.done) return null
      this.#rest = Buffer.from(next.value)
    }
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  /** Exactly so many bytes. Null at the end. Throws where it comes too early. */
  async take(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    for (let left = length; left > 0;) {
      const part = await this.read(left)
      if (!part && parts.length === 0) return null
      if (!part) throw new Error('the archive is cut off')
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
}

type ReadEntry = { kind: 'folder'; path: string } | { kind: 'file'; path: string; content: AsyncIterable<Buffer> }

const text = (header: Buffer, from: number, length: number) => {
  const bytes = header.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? length : end)
}

/** Reads an archive as `writeTar` makes it. The content of a file has to be read before the next entry is asked for. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const reader = new ByteReader(source)
  for (;;) {
    const header = await reader.take(block)
    if (!header || header.equals(zeros)) {
      // To the end, so that anyone who checks the stream has all of it.
      while (await reader.read(65_536));
      return
    }
    const path = text(header, 0, 100)
    if (header[156] === 0x35) yield { kind: 'folder', path: path.slice(0, -1) }
    else {
      const size = Number.parseInt(text(header, 124, 12), 8)
      yield { kind: 'file', path, content: readContent(reader, size) }
      await reader.take(padding(size))
    }
  }
}

async function* readContent(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const part = await reader.read(left)
    if (!part) throw new Error('the archive is cut off')
    yield part
    left -= part.length
  }
}
