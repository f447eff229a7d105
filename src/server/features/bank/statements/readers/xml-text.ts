import { StatementError } from './statement.ts'
import { markedEncoding } from './text.ts'

/** A file's bytes, cut anywhere. */
export type ByteChunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Enough for a byte order mark and an XML declaration. */
const headBytes = 200

/** A whole file in one chunk is decoded in pieces of this size, so that its text is never held at once. */
const pieceBytes = 64 * 1024

function* piecesOf(chunk: Uint8Array) {
  for (let start = 0; start < chunk.length; start += pieceBytes) yield chunk.subarray(start, start + pieceBytes)
}

/** The encoding by the byte order mark, else by the XML declaration, else UTF-8. */
function encodingOf(head: Uint8Array): string {
  const marked = markedEncoding(head)
  if (marked) return marked
  const text = Buffer.from(head).toString('latin1')
  const label = /^\s*<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(text)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).encoding
  } catch {
    throw new StatementError(`The encoding ${label.slice(0, 40)} is not known`)
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new StatementError(`The file is not ${decoder.encoding}, as it says`)
  }
}

/** The text of an XML file, piece by piece. Bytes that are wrong in its encoding are refused. */
export async function* decodeXml(chunks: ByteChunks): AsyncGenerator<string> {
  let head = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk)) {
      if (decoder) yield decode(decoder, piece)
      else head = Buffer.concat([head, piece])
      if (decoder || head.length < headBytes) continue
      decoder = new TextDecoder(encodingOf(head), { fatal: true })
      yield decode(decoder, head)
    }
  }
  if (!decoder) {
    decoder = new TextDecoder(encodingOf(head), { fatal: true })
    yield decode(decoder, head)
  }
  yield decode(decoder)
}
