import { parseDecimal } from '#server/lib/decimal.ts'
import { StatementError } from './statement.ts'
import { existingDay, given, markedEncoding, quote } from './text.ts'

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

/** An element of the part of a file that is being read. */
export interface XmlNode {
  name: string
  text: string
  /** The line of the file in which it begins. */
  line: number
  /** The attribute `Ccy` of an amount, else the currency of the account; empty where neither is known yet. */
  currency: string
  children: XmlNode[]
}

export interface Money {
  amount: string
  currency: string
}

export function childAt(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

export const childrenAt = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

/** The first of the paths that has a text. */
export function textAt(node: XmlNode | undefined, ...paths: string[]): string | null {
  for (const path of paths) {
    const found = given(childAt(node, ...path.split('/'))?.text)
    if (found) return found
  }
  return null
}

export const isTrueAt = (node: XmlNode, name: string) => ['true', '1'].includes(textAt(node, name) ?? '')

/** The day of a date or an instant, as the bank's clock had it. What is not a day gives a warning. */
export function dayAt(node: XmlNode, name: string, warnings: string[] = []): string | null {
  const written = textAt(node, `${name}/Dt`, `${name}/DtTm`)
  if (!written) return null
  const day = existingDay(written.slice(0, 10))
  if (!day) warnings.push(`${quote(written)} is not a date`)
  return day
}

/** An amount and its currency; undefined where the text is not an amount. */
export function moneyOf(node: XmlNode | undefined): Money | undefined {
  if (!node) return undefined
  const amount = parseDecimal(node.text)
  return amount === undefined ? undefined : { amount, currency: node.currency }
}

export const noAmount = ({ line, text }: XmlNode) => `line ${line}: ${quote(text)} is not an amount`
