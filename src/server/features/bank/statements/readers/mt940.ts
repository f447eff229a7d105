import { parseIban } from '#server/lib/iban.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { hasFields, readDetails } from './mt940-details.ts'
import { readMessages, type SwiftField, type SwiftMessage } from './mt940-fields.ts'
import { readBalance, readMovement } from './mt940-values.ts'
import { StatementError, type Statement, type StatementLine, type StatementSink } from './statement.ts'
import { createStatementQueue, type StatementQueue } from './statement-queue.ts'
import { decodeText, guessEncoding, isFilled, quote, unknownFile } from './text.ts'

const noAccount = 'This SWIFT message is about no account: it has no :25: field'

/** Reads MT940 and MT942 as banks send them. Of the file its text is held, and the lines of one message at most 500 at a time. */
export async function readMt940(bytes: Uint8Array, sink: StatementSink): Promise<void> {
  const queue = createStatementQueue(sink)
  const withoutAccount: number[] = []
  let hasMessages = false
  let open: OpenStatement | null = null
  for await (const message of readMessages(decodeText(bytes, guessEncoding(bytes)))) {
    hasMessages = true
    const header = readHeader(message)
    if (!header.statement.account) {
      withoutAccount.push(message.line)
      continue
    }
    refuseCutOff(message)
    open = beginOrContinue(queue, open, header)
    await readLines(message, open.statement.currency, queue, sink)
  }
  if (!hasMessages) throw new StatementError(unknownFile)
  if (!open) throw new StatementError(noAccount)
  for (const line of withoutAccount) sink.unreadable(`line ${line}: ${noAccount}`)
  queue.end(open.statement)
  await queue.deliverAll()
}

interface MessageHeader {
  statement: Statement
  isFirstPage: boolean
  isLastPage: boolean
}

interface OpenStatement {
  statement: Statement
  isLastPage: boolean
}

/** The IBAN of :25:, also where a slash stands before it or a currency behind it, else the bank's own number. */
function readAccount(value: string): string {
  const [row = ''] = value.trim().split('\n')
  const number = row.trim().replace(/^\/+/, '')
  return parseIban(number) ?? parseIban(number.trim().slice(0, -3)) ?? number
}

/** A statement of a day ends with its closing balance, so one without it is the beginning of a file that was cut off. */
function refuseCutOff({ fields }: SwiftMessage): void {
  const opening = fields.find(({ tag }) => ['60F', '60M', '60A'].includes(tag))
  if (opening && !fields.some(({ tag }) => ['62F', '62M', '62A'].includes(tag)))
    throw new StatementError('the statement has no closing balance, so the file is cut off', `line ${opening.line}`)
}

/** What a message says of its statement. A large statement goes on over several messages. */
function readHeader({ fields }: SwiftMessage): MessageHeader {
  const find = (...tags: string[]) => fields.find(({ tag }) => tags.includes(tag))
  const textOf = (...tags: string[]) => find(...tags)?.value.trim() ?? ''
  const openingField = find('60F', '60M', '60A')
  const closingField = fields.findLast(({ tag }) => ['62F', '62M', '62A'].includes(tag))
  const opening = openingField ? readBalance(openingField) : null
  const closing = closingField ? readBalance(closingField) : null
  const [number] = textOf('28', '28C').split('/')
  const written = [opening?.currency, closing?.currency, textOf('34F').slice(0, 3)]
  const currency = written.find(isFilled) ?? ''
  const isInterim = !openingField && Boolean(find('34F', '13', '13D', '90C', '90D'))
  const statement: Statement = {
    kind: isInterim ? 'MT942' : 'MT940',
    externalId: textOf('20') || null,
    number: number || null,
    account: readAccount(textOf('25', '25P')),
    accountName: null,
    currency,
    // A balance may leave the currency out.
    opening: opening && { ...opening, currency: opening.currency || currency },
    closing: closing && { ...closing, currency: closing.currency || currency },
    warnings: [],
  }
  return {
    statement,
    isFirstPage: openingField?.tag !== '60M',
    isLastPage: Boolean(closingField) && closingField?.tag !== '62M',
  }
}

/** A statement goes on where one page ended with :62M: and the next of this account begins with :60M:. */
function beginOrContinue(queue: StatementQueue, open: OpenStatement | null, page: MessageHeader): OpenStatement {
  const { statement, isFirstPage, isLastPage } = page
  const goesOn =
    open &&
    !open.isLastPage &&
    !isFirstPage &&
    open.statement.account === statement.account &&
    open.statement.number === statement.number
  if (goesOn) {
    return { statement: { ...open.statement, closing: statement.closing ?? open.statement.closing }, isLastPage }
  }
  if (open) queue.end(open.statement)
  queue.begin(statement)
  return { statement, isLastPage }
}

/** A :86: behind one of these tells of the statement, not of the movement before. */
const endsMovement = new Set(['61', '62F', '62M', '62A', '64', '65'])

/**
 * Whether most texts of movements have fields. Where they have none, the bank writes plain text, and a text in fields is that of a
 * payer who knows another bank's form.
 */
async function haveFields({ fields }: SwiftMessage): Promise<boolean> {
  const pause = createPauses()
  let [all, withFields] = [0, 0]
  for (const [at, { tag, value }] of fields.entries()) {
    if (tag !== '86' || !/^(61|NS)$/.test(fields[at - 1]?.tag ?? '')) continue
    await pause()
    all += 1
    if (hasFields(value)) withFields += 1
  }
  return withFields * 2 > all
}

async function readLines(message: SwiftMessage, currency: string, queue: StatementQueue, sink: StatementSink) {
  let line: StatementLine | undefined
  let hasDetails = false
  const isOfBank = await haveFields(message)
  const pause = createPauses()
  for (const field of message.fields) {
    await pause()
    if (queue.isFull()) await queue.deliver()
    if (line && field.tag === 'NS') addRows(line, field)
    if (line && field.tag === '86' && !hasDetails) {
      readDetails(line, field.value, isOfBank)
      hasDetails = true
    }
    if (!endsMovement.has(field.tag)) continue
    if (line) queue.add([line])
    line = field.tag === '61' ? readMovement(field, currency) : undefined
    hasDetails = false
    if (field.tag === '61' && !line) sink.unreadable(noMovement(field))
  }
  if (line) queue.add([line])
}

/** Texts in a field that is not one of SWIFT's, each row behind a number: "01text", "02more". */
function addRows({ remittance }: StatementLine, { value }: SwiftField) {
  const rows = value.split('\n').filter((row) => row.trim() !== '')
  const isNumbered = rows.every((row) => /^\d\d/.test(row))
  remittance.push(...rows.map((row) => (isNumbered ? row.slice(2) : row).trim()).filter(isFilled))
}

const noMovement = ({ line, value }: SwiftField) => `line ${line}: ${quote(value, 60)} is not a movement`
