import { isUtf8 } from 'node:buffer'
import type { Hash } from 'node:crypto'

const lineEnd = 0x0a
const maxBytes = 64 * 1024

export interface TextLine {
  /** Counted from 1, blank lines included. */
  line: number
  text?: string
  /** Why the line can't be read as text. */
  problem?: string
  /** The lines to skip end here, or where the source does. */
  isSkipped?: true
  /** Nothing comes after this line, which was answered already. */
  isEnd?: true
}

export interface LineOptions {
  /** How many lines at the start are passed by unread. */
  skippedLines: number
  /** Is fed with every line as it passes by. */
  digest?: Hash | undefined
}

/**
 * The lines of a stream of bytes. Blank lines are counted and skipped; a line over 64 kB is let go as it passes by, so
 * memory stays flat whatever arrives.
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
    // Copied: a piece of a line must not keep its whole chunk in memory.
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
