import type { Statement, StatementLine, StatementSink } from '#server/features/bank/statements/readers/statement.ts'

/** A statement with its lines, as a reader hands them over. */
export interface CollectedStatement extends Statement {
  lines: StatementLine[]
}

/** Collects what a reader finds: statements as they ended, the sizes of the chunks and what could not be read. */
export function collectStatements() {
  const statements: CollectedStatement[] = []
  const begun: Statement[] = []
  const chunks: number[] = []
  const unreadable: string[] = []
  let lines: StatementLine[] = []
  const sink: StatementSink = {
    async begin(statement) {
      lines = []
      begun.push(statement)
    },
    async lines(more) {
      chunks.push(more.length)
      lines.push(...more)
    },
    async end(statement) {
      statements.push({ ...statement, lines })
    },
    unreadable: (message) => void unreadable.push(message),
  }
  return { sink, statements, begun, chunks, unreadable, lines: () => statements.flatMap((each) => each.lines) }
}

/** A specimen that belongs to nobody, with right check digits. */
export const specimenIban = 'DE89370400440532013000'

export interface CamtShape {
  version?: string
  root?: string
  report?: string
  head?: string
  iban?: string
}

/** A camt file of one statement. */
export function camtFile(body: string, shape: CamtShape = {}): string {
  const { version = '053.001.08', root = 'BkToCstmrStmt', report = 'Stmt', head = '', iban = specimenIban } = shape
  const account = `<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>`
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${version}`
  return `${head}<Document xmlns="${namespace}"><${root}><${report}><Id>1</Id>${account}${body}</${report}></${root}></Document>`
}

/** An entry of a camt file, booked on November 3, 2026. */
export const camtEntry = (amount: string, sign: string, more = '', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${status}` +
  `<BookgDt><Dt>2026-11-03</Dt></BookgDt>${more}</Ntry>`

export const camtBalance = (code: string, amount: string, day = '2026-11-03') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>` +
  `<Dt><Dt>${day}</Dt></Dt></Bal>`

/** An MT940 message with the opening balance of 100.00 EUR; the rows follow it, and a closing balance where they have none. */
export const mt940File = (...rows: string[]) => {
  const closing = rows.some((row) => /^:?62|\n:62/.test(row)) ? [] : [':62F:C261103EUR100,00']
  return [':20:X', `:25:${specimenIban}`, ':28C:1/1', ':60F:C261101EUR100,00', ...rows, ...closing].join('\r\n')
}
