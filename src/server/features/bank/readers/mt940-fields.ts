import { StatementError } from './statement.ts'
import { maxTextLength, rowsOf, textTooLong } from './text.ts'

export interface SwiftField {
  tag: string
  /** Keeps its line breaks. */
  value: string
  /** The line of the file in which it begins. */
  line: number
}

/** Only these begin a field: a remittance text may well begin a row with ":08 ". */
const fieldStart = /^:(20|21|25P?|28C?|13D?|34F|37H|60[FMA]|61|86|62[FMA]|64|65|90[CD]|NS):/

/** The end of a message, and the blocks of a SWIFT envelope between two messages. */
const separator = /^-(\}.*)?$|^\{\d:/

/** Some banks break a row behind the first colon of a field. */
function* joinColons(rows: Iterable<string>): Generator<{ row: string; line: number }> {
  let line = 0
  let isColon = false
  for (const row of rows) {
    line += 1
    const isBroken = isColon && fieldStart.test(`:${row}`)
    if (isColon && !isBroken) yield { row: ':', line: line - 1 }
    isColon = row === ':'
    if (!isColon) yield { row: isBroken ? `:${row}` : row, line }
  }
}

/** The fields of all messages of a file. Envelopes, separators and what a bank writes between messages fall away. */
export function* readFields(text: string): Generator<SwiftField> {
  // Some systems write "@@" for a line break.
  const lines = text.includes('@@:') ? text.replaceAll('@@', '\n') : text
  let field: SwiftField | undefined
  for (const { row: written, line } of joinColons(rowsOf(lines))) {
    const row = written
      .replace(/^\{1:.*\{4:/, '')
      .replaceAll('\u0001', '')
      .replaceAll('\u0003', '')
    const [start, tag] = fieldStart.exec(row) ?? []
    if (start && tag) {
      if (field) yield field
      field = { tag, value: row.slice(start.length), line }
    } else if (separator.test(row)) {
      if (field) yield field
      field = undefined
    } else if (field) {
      field.value += `\n${row}`
      if (field.value.length > maxTextLength) throw new StatementError(textTooLong, `line ${field.line}`)
    }
  }
  if (field) yield field
}

/** A message: the fields from one :20: to the next. */
export interface SwiftMessage {
  line: number
  fields: SwiftField[]
}

export function* readMessages(text: string): Generator<SwiftMessage> {
  let message: SwiftMessage | undefined
  for (const field of readFields(text)) {
    if (field.tag === '20') {
      if (message) yield message
      message = { line: field.line, fields: [] }
    }
    if (!message) throw new StatementError(`:${field.tag}: stands before any :20:`, `line ${field.line}`)
    message.fields.push(field)
  }
  if (message) yield message
}
