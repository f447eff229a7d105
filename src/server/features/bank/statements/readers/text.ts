import anyAscii from 'any-ascii'
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { StatementError } from './statement.ts'

/** The longest text that a file may hold in one place. */
export const maxTextLength = 100_000

export const emptyFile = 'This file is empty'
export const unknownFile = 'This is not a camt.052, camt.053, camt.054, MT940 or CSV file'

export const textTooLong = 'a text is longer than 100,000 characters'

const nothing = /^(NOTPROVIDED|NONREF|NONREFERENCE|NOT PROVIDED|NA|N\/A)$/i

/** The text without blanks around it; null where it is empty or one of the words that banks write in place of nothing. */
export function given(text: string | null | undefined): string | null {
  const trimmed = text?.trim()
  return trimmed && !nothing.test(trimmed) ? trimmed : null
}

/** An account's number; null where it has no digit but 0, or some are hidden, so that many accounts would have it. */
export function givenAccount(text: string | null | undefined): string | null {
  const number = given(text?.replace(/^[='"]+|['"]+$/g, ''))
  return number && /[1-9]/.test(number) && !number.includes('*') ? number : null
}

export const isFilled = (text: string | null | undefined): text is string => Boolean(text)

/** Whether both have the text. */
export const isSameText = (one: string | null, other: string | null): boolean => isFilled(one) && one === other

/** What a message shows of a file's text: its beginning, in quotation marks. */
export const quote = (text: string, length = 40) => JSON.stringify(text.trim().slice(0, length).toWellFormed())

/** The day if the calendar has it, else null. */
export function existingDay(day: string): string | null {
  const time = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day ? day : null
}

/** The encoding that the first bytes tell: a byte order mark, or the zeros of a text in UTF-16. */
export function markedEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return 'utf-16be'
  return undefined
}

/** UTF-8 where the bytes are, else windows-1252, of which Latin-1 is a part. */
export const guessEncoding = (bytes: Uint8Array) => markedEncoding(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')

/** What Korean Windows writes as EUC-KR: the decoder of Node lacks most of its syllables. */
function decodeKorean(bytes: Uint8Array): string {
  const text = iconv.decode(Buffer.from(bytes), 'cp949')
  if (text.includes('\uFFFD')) throw new TypeError('no character of CP949')
  return text
}

/** Bytes to text without NUL, which PostgreSQL refuses. Wrong bytes are refused. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  try {
    const text = encoding === 'euc-kr' ? decodeKorean(bytes) : new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.replaceAll('\0', '')
  } catch {
    throw new StatementError(`The file is not ${encoding}, as it says`)
  }
}

/** The rows of a text one by one, so that a large file is never held twice. */
export function* rowsOf(text: string): Generator<string> {
  const lineBreak = /\r\n|\r|\n/g
  let start = 0
  for (let found = lineBreak.exec(text); found; found = lineBreak.exec(text)) {
    yield text.slice(start, found.index)
    start = lineBreak.lastIndex
  }
  yield text.slice(start)
}

/** What a heading is compared by: plain letters, one blank where signs stood, nothing around a slash. */
export const foldHeading = (text: string): string =>
  anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim()
