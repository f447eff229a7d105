import { isUtf8 } from 'node:buffer'

const lineEnd = 0x0a
const maxBytes = 64 * 1024

export interface TextLine {
  /** Counted from 1, blank lines included. */
  line: number
  text?: string
  /** Why the line can't be read as text. */
  problem?: string
}

/**
 * The lines of a stream of bytes. Blank lines are counted and skipped; a line over 64 kB is let go as it passes by, so
 * memory stays flat whatever arrives. `countBytes` hears of each chunk's size.
 */
export async function* readLines(
  source: AsyncIterable<Buffer | string>,
  countBytes: (bytes: number) => void,
): AsyncGenerator<TextLine> {
  let line = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const hold = (part: Buffer) => {
    heldBytes += part.length
    if (heldBytes > maxBytes) held = []
    else if (part.length > 0) held.push(part)
  }
  const finish = (): TextLine | undefined => {
    line++
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held)
    const isTooLong = heldBytes > maxBytes
    held = []
    heldBytes = 0
    return isTooLong ? { line, problem: 'the line is longer than 64 kB' } : decode(line, bytes)
  }
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    countBytes(bytes.length)
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, from)) {
      hold(bytes.subarray(from, end))
      from = end + 1
      const found = finish()
      if (found) yield found
    }
    // Copied: a piece of a line must not keep its whole chunk in memory.
    if (from < bytes.length) hold(Buffer.from(bytes.subarray(from)))
  }
  if (heldBytes > 0) {
    const found = finish()
    if (found) yield found
  }
}

function decode(line: number, bytes: Buffer): TextLine | undefined {
  if (!isUtf8(bytes)) return { line, problem: 'the line is not valid UTF-8' }
  const text = (line === 1 ? bytes.toString().replace(/^\uFEFF/, '') : bytes.toString()).trim()
  return text === '' ? undefined : { line, text }
}
