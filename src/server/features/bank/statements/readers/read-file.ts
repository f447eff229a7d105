import type { CsvLayout, CsvProfile } from '#contract/schemas/csv-profile.ts'
import { readCamt } from './camt.ts'
import { CsvProfileNeededError, guessProfile } from './csv-profile.ts'
import { type CsvAccount, readCsv } from './csv.ts'
import { limitLines, statementLimits, StatementTooLargeError } from './limits.ts'
import { readMt940 } from './mt940.ts'
import { StatementError, type StatementSink } from './statement.ts'
import { emptyFile, markedEncoding, unknownFile } from './text.ts'
import type { ByteChunks } from './xml.ts'
import { readZip } from './zip.ts'

/** How a CSV file is read: by what a person has confirmed, or by a layout alone, which refuses it with a guess. */
export type CsvForm = CsvProfile | CsvLayout

export interface ReadOptions {
  /** The account of a CSV file, which does not name it. Without a profile a CSV file is refused with a guess. */
  csvAccount?: Omit<CsvAccount, 'profile'> & { form: CsvForm | null }
  /** YYYY-MM-DD, if not by this process's clock. */
  today?: string
}

/**
 * Reads a bank's file of any known format into the sink, and answers its format. Throws a `StatementError` where it cannot be read,
 * a `StatementTooLargeError` where it is too large, and a `CsvProfileNeededError` where a person has to confirm the columns.
 */
export async function readStatementFile(
  bytes: Uint8Array,
  sink: StatementSink,
  options: ReadOptions = {},
): Promise<FileFormat> {
  if (bytes.length === 0) throw new StatementError(emptyFile)
  if (bytes.length > statementLimits.bytes) throw new StatementTooLargeError()
  const limited = limitLines(sink, { today: options.today })
  if (detectFormat(bytes) !== 'zip') return readContent([bytes], limited, options)
  let isAnyRead = false
  await readZip(bytes, async (name, chunks) => {
    isAnyRead = (await readZipped(name, chunks, limited, options)) || isAnyRead
  })
  if (!isAnyRead) throw new StatementError(unknownFile)
  return 'zip'
}

/** Whether a file of a zip is one that banks write. Any other is named, and the rest of the zip is read. */
async function readZipped(name: string, chunks: ByteChunks, sink: StatementSink, options: ReadOptions) {
  try {
    await readContent(chunks, namePlaces(sink, name), options)
    return true
  } catch (error) {
    if (!(error instanceof StatementError) || error.message !== unknownFile) throw error
    sink.unreadable(`${name}: ${unknownFile}`)
    return false
  }
}

async function readContent(chunks: ByteChunks, sink: StatementSink, { csvAccount }: ReadOptions): Promise<FileFormat> {
  const { head, all, close } = await peek(chunks)
  try {
    const format = detectFormat(head)
    if (format === 'zip') throw new StatementError('a zip within a zip is not taken')
    if (format === 'camt') await readCamt(all, sink)
    else if (format === 'MT940') await readMt940(await collect(all), sink)
    else if (format === 'CSV') await readCsvFile(await collect(all), sink, csvAccount)
    else throw new StatementError(unknownFile)
    return format
  } finally {
    await close()
  }
}

async function readCsvFile(bytes: Uint8Array, sink: StatementSink, csvAccount: ReadOptions['csvAccount']) {
  const form = csvAccount?.form
  if (!form || !('columns' in form)) throw new CsvProfileNeededError(guessProfile(bytes, csvAccount?.account, form))
  await readCsv(bytes, { ...csvAccount, profile: form }, sink)
}

async function* inTurn(chunks: ByteChunks): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** The first bytes of a file, the whole of it, and what lets go of a file that is not read to its end. */
async function peek(chunks: ByteChunks) {
  const rest = inTurn(chunks)
  let head: Uint8Array = new Uint8Array()
  while (head.length < detectedBytes) {
    const next = await rest.next()
    if (next.done) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  async function* all() {
    yield head
    yield* rest
  }
  return { head, all: all(), close: () => rest.return(undefined) }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return collected.length === 1 && collected[0] ? collected[0] : Buffer.concat(collected)
}

/** Puts the name of a file of a zip before each place in it. */
function namePlaces(sink: StatementSink, name: string): StatementSink {
  return {
    begin: (statement) => sink.begin(statement),
    end: (statement) => sink.end(statement),
    unreadable: (message) => sink.unreadable(`${name}: ${message}`),
    lines: (lines) => sink.lines(lines.map((line) => ({ ...line, place: `${name}, ${line.place}` }))),
  }
}

export type FileFormat = 'camt' | 'MT940' | 'CSV' | 'zip'

/** How many bytes of a file tell its format. */
const detectedBytes = 4096

/** What a file is by its first bytes; null where it is nothing known. The name and type of an upload prove nothing. */
export function detectFormat(bytes: Uint8Array): FileFormat | null {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return 'zip'
  const head = new TextDecoder(markedEncoding(bytes) ?? 'windows-1252').decode(bytes.subarray(0, detectedBytes))
  if (/^\s*<(\?xml|!--|!DOCTYPE)/.test(head)) return 'camt'
  if (/^\s*</.test(head) && /<([\w-]+:)?(Document|AppHdr)\b/.test(head)) return 'camt'
  if (/(^|\n|\r|@@|\{4:)\s?:(20|25P?):/.test(head)) return 'MT940'
  if (/^(OFXHEADER|!Type:)/.test(head) || head.includes('\0')) return null
  return /[;,\t|]/.test(head) && /[\n\r]/.test(head) ? 'CSV' : null
}
