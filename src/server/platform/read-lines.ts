import { isUtf8 } from 'node:buffer'
import type { Hash } from 'node:crypto'

const lineEnd = 0x0a
const maxBytes = 64 * 1024

export interface TextLine {
  /** Starts at 1 and counts blank lines. */
  line: number
  text?: string
  /** Why the line cannot be read as text. */
  problem?: string
  /** The last skipped line, or the end of the source before it. */
  isSkipped?: true
  /** The end of the source. This line was returned already. */
  isEnd?: true
}

export interface LineOptions {
  /** The number of lines to skip at the start. */
  skippedLines: number
  /** Hashes each line. */
  digest?: Hash | undefined
}

/**
 * The lines of a byte stream. Counts and skips blank lines. Drops the bytes of a line over 64 kB while they arrive, so
 * that memory stays flat.
 */
export async function* readLines(
  source: AsyncIterable<Buffer | string>,
  { skippedLines, digest }: LineOptions,
): AsyncGenerator<TextLine> {
  let line = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const collect = (part: Buffer) => {
    digest?.update(part)
    heldBytes += part.length
    if (heldBytes > maxBytes || line < skippedLines) held = []
    else if (part.length > 0) held.push(part)
  }
  const finish = (): TextLine | undefined => {
    line++
    digest?.update('\n')
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held)
    const isTooLong = heldBytes > maxBytes
    held = []
    heldBytes = 0
    if (line <= skippedLines) return line === skippedLines ? { line, isSkipped: true } : undefined
    return isTooLong ? { line, problem: 'the line is longer than 64 kB' } : decode(line, bytes)
  }
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, from)) {
      collect(bytes.subarray(from, end))
      from = end + 1
      const found = finish()
      if (found) yield found
    }
    // Copied, so that part of a line does not keep its whole chunk in memory.
    if (from < bytes.length) collect(Buffer.from(bytes.subarray(from)))
  }
  if (heldBytes > 0) {
    const found = finish()
    if (found) yield found
  }
  if (line < skippedLines) yield { line, isSkipped: true }
  yield { line, isEnd: true }
}

function decode(line: number, bytes: Buffer): TextLine | undefined {
  if (!isUtf8(bytes)) return { line, problem: 'the line is not valid UTF-8' }
  const text = (line === 1 ? bytes.toString().replace(/^\uFEFF/, '') : bytes.toString()).trim()
  return text === '' ? undefined : { line, text }
}
