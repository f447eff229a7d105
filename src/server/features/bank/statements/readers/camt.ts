import { SaxesParser, type SaxesTagNS } from 'saxes'
import { EntryReader } from './camt-entry.ts'
import { readTransaction } from './camt-transaction.ts'
import { createStatementQueue, type StatementQueue } from './statement-queue.ts'
import { type Balance, type Statement, StatementError, type StatementLine, type StatementSink } from './statement.ts'
import { isFilled, maxTextLength, quote, textTooLong, unknownFile } from './text.ts'
import { type ByteChunks, childAt, childrenAt, dayAt, decodeXml, moneyOf, textAt, type XmlNode } from './xml.ts'

const kinds: Record<string, Statement['kind']> = {
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrStmt: 'camt.053',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
}
const reports = new Set(['Rpt', 'Stmt', 'Ntfctn'])

/** What a file may make the reader hold at once. */
const limits = { depth: 40, elements: 100_000 }

/** Reads camt.052, camt.053 and camt.054 of each version. Of the file only the transactions of one entry are held, at most 1,000. */
export async function readCamt(chunks: ByteChunks, sink: StatementSink): Promise<void> {
  const queue = createStatementQueue(sink)
  const parser = new CamtParser(queue, (message) => sink.unreadable(message))
  for await (const text of decodeXml(chunks)) {
    parser.write(text)
    await queue.deliver()
  }
  parser.close()
  await queue.deliverAll()
}

interface Frame {
  node: XmlNode
  /** What was held before an element that is let go at its end; null of one that its parent keeps. */
  heldBefore: number | null
}

interface OpenReport {
  node: XmlNode
  /** Null until its first entry or its end. */
  statement: Statement | null
  /** That of its account, known from its first entry on. */
  currency: string
  entries: number
  /** The line of the file in which the last entry began. */
  lastLine: number
}

class CamtParser {
  readonly #xml = new SaxesParser({ xmlns: true })
  readonly #queue: StatementQueue
  readonly #tellUnreadable: (message: string) => void
  /** The elements from `Document` on. */
  readonly #frames: Frame[] = []
  /** How many elements of an envelope are open around it. */
  #wrappers = 0
  #held = 0
  #kind: Statement['kind'] | null = null
  #hasStatements = false
  #report: OpenReport | null = null
  /** Null outside of entries, and within one that cannot be read. */
  #entry: EntryReader | null = null
  #transaction: XmlNode | null = null

  constructor(queue: StatementQueue, tellUnreadable: (message: string) => void) {
    this.#queue = queue
    this.#tellUnreadable = tellUnreadable
    this.#xml.on('error', ({ message }) => this.#refuse(message.replace(/^\d+:\d+: /, '')))
    this.#xml.on('doctype', () => this.#fail('a document type definition is not taken'))
    this.#xml.on('opentag', (tag) => this.#open(tag))
    this.#xml.on('text', (text) => this.#addText(text))
    this.#xml.on('cdata', (text) => this.#addText(text))
    this.#xml.on('closetag', () => this.#close())
  }

  write(text: string) {
    this.#xml.write(text)
  }

  close() {
    this.#xml.close()
    if (!this.#kind) throw new StatementError(unknownFile)
    if (!this.#hasStatements) throw new StatementError('The file holds no statement')
  }

  #fail(message: string): never {
    throw new StatementError(message, `line ${this.#xml.line}`)
  }

  /** The header of a message may stand before its document, without an element around both. */
  #refuse(damage: string) {
    if (damage !== 'documents may contain only one root.') this.#fail(`the file is damaged: ${damage}`)
  }

  #open({ local, attributes }: SaxesTagNS) {
    if (this.#frames.length + this.#wrappers >= limits.depth) this.#fail('elements are nested too deeply')
    if (this.#frames.length === 0 && local !== 'Document') {
      this.#wrappers += 1
      return
    }
    const currency = attributes['Ccy']?.value.trim() || this.#report?.currency || ''
    const node: XmlNode = { name: local, text: '', line: this.#xml.line, currency, children: [] }
    const parent = this.#frames.at(-1)?.node
    if (!parent || this.#opensPart(node)) {
      this.#frames.push({ node, heldBefore: this.#held })
      return
    }
    parent.children.push(node)
    this.#held += 1
    if (this.#held > limits.elements) this.#fail('the file holds too many elements')
    this.#frames.push({ node, heldBefore: null })
  }

  /** Whether an element is read on its own and let go at its end, instead of being kept by its parent. */
  #opensPart(node: XmlNode): boolean {
    const depth = this.#frames.length
    const { name } = node
    if (depth === 1) {
      this.#kind = kinds[name.replace(/V\d\d$/, '')] ?? null
      if (!this.#kind) throw new StatementError(unknownFile)
    } else if (depth === 2 && reports.has(name)) {
      this.#report = { node, statement: null, currency: '', entries: 0, lastLine: 0 }
      this.#hasStatements = true
    } else if (depth === 3 && this.#report && name === 'Ntry') {
      this.#openEntry(node, this.#report)
    } else if (depth > 3 && this.#isInEntry() && !this.#transaction && name === 'TxDtls') {
      this.#transaction = node
    } else {
      return depth === 4 && this.#isInEntry() && name === 'NtryDtls'
    }
    return true
  }

  #isInEntry(): boolean {
    return this.#frames[3]?.node.name === 'Ntry'
  }

  #openEntry(node: XmlNode, report: OpenReport) {
    if (report.entries === 0 && this.#kind) report.currency = readCamtStatement(report.node, this.#kind, '').currency
    report.entries += 1
    // Some banks write a file without line breaks: there the line alone is not a place.
    const isSameLine = node.line === report.lastLine
    report.lastLine = node.line
    const place = `line ${node.line}${isSameLine ? `, entry ${report.entries}` : ''}`
    this.#entry = new EntryReader(node, place)
  }

  #addText(text: string) {
    const node = this.#frames.at(-1)?.node
    if (!node) return
    node.text += text
    if (node.text.length > maxTextLength) this.#fail(textTooLong)
  }

  #close() {
    const frame = this.#frames.pop()
    if (!frame) {
      this.#wrappers -= 1
      return
    }
    const { node, heldBefore } = frame
    if (heldBefore === null) return
    this.#held = heldBefore
    if (node === this.#transaction) {
      this.#transaction = null
      this.#readEntry((entry) => entry.add(readTransaction(node)))
    } else if (node.name === 'NtryDtls') {
      this.#entry?.addBatchCount(textAt(node, 'Btch/NbOfTxs'))
    } else if (node.name === 'Ntry') {
      this.#readEntry((entry) => entry.end())
      this.#entry = null
    } else if (node === this.#report?.node) {
      this.#endReport(this.#report)
      this.#report = null
    }
  }

  /** An entry that cannot be read is named, and the others are read. */
  #readEntry(read: (entry: EntryReader) => StatementLine[]) {
    if (!this.#entry || !this.#report) return
    try {
      const lines = read(this.#entry)
      const [first] = lines
      if (!first) return
      this.#begin(this.#report, first.currency)
      if (this.#report.statement?.account) this.#queue.add(lines)
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      this.#entry = null
      this.#tellUnreadable(error.message)
    }
  }

  /** A statement begins with its first lines: its account and balances stand before them. */
  #begin(report: OpenReport, currency: string) {
    if (report.statement || !this.#kind) return
    report.statement = readCamtStatement(report.node, this.#kind, currency)
    if (report.statement.account) this.#queue.begin(report.statement)
    else this.#tellUnreadable(`line ${report.node.line}: this statement names no account`)
  }

  #endReport(report: OpenReport) {
    this.#begin(report, '')
    if (!report.statement?.account) return
    this.#queue.end(readCamtStatement(report.node, report.statement.kind, report.statement.currency))
  }
}

interface CodedBalance extends Balance {
  code: string | null
}

function readBalance(node: XmlNode, warnings: string[]): CodedBalance[] {
  const amount = childAt(node, 'Amt')
  const money = moneyOf(amount)
  if (!money) {
    warnings.push(`line ${(amount ?? node).line}: ${quote(amount?.text ?? '')} is not a balance`)
    return []
  }
  const code = textAt(node, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry')
  const direction = textAt(node, 'CdtDbtInd') === 'DBIT' ? 'debit' : 'credit'
  return [{ code, ...money, direction, day: dayAt(node, 'Dt', warnings) }]
}

/** The first balance in time that has one of the codes; an earlier code goes before a later one. */
function pickBalance(balances: CodedBalance[], ...codes: string[]): Balance | null {
  for (const code of codes) {
    const found = balances.find((balance) => balance.code === code)
    if (found) return { amount: found.amount, direction: found.direction, currency: found.currency, day: found.day }
  }
  return null
}

/** The name, number and currency of the account that a statement is about. */
function readAccount(report: XmlNode) {
  const account = childAt(report, 'Acct')
  const number = textAt(account, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN', 'Id/UPIC')
  const iban = textAt(account, 'Id/IBAN')?.replace(/\s/g, '').toUpperCase()
  return {
    account: iban ?? number ?? '',
    accountName: textAt(account, 'Nm', 'Ownr/Nm'),
    currency: textAt(account, 'Ccy'),
  }
}

/** What a report says beside its entries. `account` is empty where it names none. */
function readCamtStatement(report: XmlNode, kind: Statement['kind'], entryCurrency: string): Statement {
  const warnings: string[] = []
  const balances = childrenAt(report, 'Bal')
    .flatMap((node) => readBalance(node, warnings))
    .toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? ''))
  const { account, accountName, currency } = readAccount(report)
  return {
    kind,
    externalId: textAt(report, 'Id'),
    number: textAt(report, 'LglSeqNb', 'ElctrncSeqNb'),
    account,
    accountName,
    currency: [currency, balances[0]?.currency, entryCurrency].find(isFilled) ?? '',
    opening: pickBalance(balances, 'OPBD', 'PRCD'),
    closing: pickBalance(balances.toReversed(), 'CLBD', 'ITBD'),
    warnings,
  }
}
