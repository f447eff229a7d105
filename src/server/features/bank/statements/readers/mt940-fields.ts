import { createPauses } from '#server/lib/pauses.ts'
import { statementLimits, StatementTooLargeError } from './limits.ts'
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

/** The blocks of a SWIFT envelope between two messages. */
const envelope = /^-\}|^\{\d:/

const startsMessage = (tag: string) => tag === '20' || tag.startsWith('25')

/**
 * What of the rows from a dash alone on belongs to the text before it. A dash ends a message, or is a row of a text: all is text where
 * another field of the message follows, and else what stands before the last dash.
 */
function textFromDash(rows: string, isEnd: boolean): string {
  const all = rows.split('\n')
  const text = isEnd ? all.slice(0, all.lastIndexOf('-')) : all
  return text.some((row) => !/^-?\s*$/.test(row)) ? text.join('\n') : ''
}

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
async function* readFields(text: string): AsyncGenerator<SwiftField> {
  // Some systems write "@@" for a line break.
  const lines = text.includes('@@:') ? text.replaceAll('@@', '\n') : text
  let field: SwiftField | undefined
  let fromDash = ''
  const endField = (isEnd: boolean) => {
    if (field) field.value += textFromDash(fromDash, isEnd)
    fromDash = ''
    return field ? [field] : []
  }
  const pause = createPauses()
  for (const { row: written, line } of joinColons(rowsOf(lines))) {
    const pausing = pause()
    if (pausing) await pausing
    const row = written
      .replace(/^\{1:.*\{4:/, '')
      .replaceAll('\u0001', '')
      .replaceAll('\u0003', '')
    const [start, tag] = fieldStart.exec(row) ?? []
    if (start && tag) {
      yield* endField(startsMessage(tag))
      field = { tag, value: row.slice(start.length), line }
    } else if (envelope.test(row)) {
      yield* endField(!row.startsWith('-'))
      field = undefined
    } else if (field) {
      if (row === '-' || fromDash) fromDash += `\n${row}`
      else field.value += `\n${row}`
    }
    if (field && field.value.length + fromDash.length > maxTextLength)
      throw new StatementError(textTooLong, `line ${field.line}`)
  }
  yield* endField(true)
}

/** A message: the fields from one :20: to the next, or from one :25: to the next where a bank leaves :20: out. */
export interface SwiftMessage {
  line: number
  fields: SwiftField[]
}

/** A movement has two fields, or three where its bank writes more texts. */
const mostFields = 3 * statementLimits.lines

const hasField = ({ fields }: SwiftMessage, form: RegExp) => fields.some(({ tag }) => form.test(tag))

/** Without :20: only an account and an opening balance tell that a message begins. */
function requireStart(message: SwiftMessage): SwiftMessage {
  const [first] = message.fields
  if (first && first.tag !== '20' && !hasField(message, /^60/))
    throw new StatementError(`:${first.tag}: stands before any :20:`, `line ${first.line}`)
  return message
}

export async function* readMessages(text: string): AsyncGenerator<SwiftMessage> {
  let message: SwiftMessage | undefined
  for await (const field of readFields(text)) {
    if (field.tag === '20' || (field.tag.startsWith('25') && (!message || hasField(message, /^62/)))) {
      if (message) yield requireStart(message)
      message = { line: field.line, fields: [] }
    }
    if (!message) throw new StatementError(`:${field.tag}: stands before any :20:`, `line ${field.line}`)
    message.fields.push(field)
    if (message.fields.length > mostFields) throw new StatementTooLargeError()
  }
  if (message) yield requireStart(message)
}
