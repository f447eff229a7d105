import fc from 'fast-check'
import { expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile, collectStatements, specimenIban } from '#test/support/bank-files.ts'
import { readCamt } from './camt.ts'
import { detectFormat } from './read-file.ts'
import { type StatementSink, balanceDifference, sumBooked } from './statement.ts'
import type { ByteChunks } from './xml.ts'

async function readChunks(chunks: ByteChunks) {
  const found = collectStatements()
  await readCamt(chunks, found.sink)
  return found
}
const read = (xml: string) => readChunks([Buffer.from(xml)])
const linesOf = async (xml: string) => (await read(xml)).lines()
const details = (transaction: string) => `<NtryDtls><TxDtls>${transaction}</TxDtls></NtryDtls>`

test('an amount is read exactly', async () => {
  const [line] = await linesOf(camtFile(camtEntry('0.10', 'CRDT')))
  expect(line).toMatchObject({ amount: '0.10', currency: 'EUR', direction: 'credit', bookedOn: '2026-11-03' })
})

test('a reversal goes in the direction that its indicator says', async () => {
  const reversal = camtEntry('5.00', 'DBIT').replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')
  const [line] = await linesOf(camtFile(reversal))
  expect(line).toMatchObject({ direction: 'debit', isReversal: true })
})

test('the payer of a reversed credit is still its debtor', async () => {
  const parties = details('<RltdPties><Dbtr><Nm>Ana Lima</Nm></Dbtr><Cdtr><Nm>Example Park</Nm></Cdtr></RltdPties>')
  const reversal = camtEntry('5.00', 'DBIT', parties).replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')
  const [reversed, paid, debit] = await linesOf(
    camtFile(reversal + camtEntry('5.00', 'CRDT', parties) + camtEntry('5.00', 'DBIT', parties)),
  )
  expect([reversed?.counterparty.name, paid?.counterparty.name, debit?.counterparty.name]).toEqual([
    'Ana Lima',
    'Ana Lima',
    'Example Park',
  ])
})

test('only the status BOOK is booked, as text and as code', async () => {
  const statuses = ['<Sts>PDNG</Sts>', '<Sts>BOOK</Sts>', '<Sts><Cd>INFO</Cd></Sts>', '<Sts><Cd>FUTR</Cd></Sts>', '']
  const lines = await linesOf(camtFile(statuses.map((status) => camtEntry('1', 'CRDT', '', status)).join('')))
  expect(lines.map(({ booking }) => booking)).toEqual(['pending', 'booked', 'info', 'pending', 'booked'])
})

test('a single transaction has the booked amount and keeps what was sent', async () => {
  const [line] = await linesOf(camtFile(camtEntry('1489.00', 'CRDT', details('<Amt Ccy="USD">1600.00</Amt>'))))
  expect(line).toMatchObject({ amount: '1489.00', instructed: { amount: '1600.00', currency: 'USD' } })
})

test('an amount without a currency has that of the account', async () => {
  const transactions = '<TxDtls><Amt>2.00</Amt></TxDtls><TxDtls><Amt>3.00</Amt></TxDtls>'
  const entries = camtEntry('1.00', 'CRDT') + camtEntry('5.00', 'CRDT', `<NtryDtls>${transactions}</NtryDtls>`)
  const lines = await linesOf(camtFile(entries).replaceAll(' Ccy="EUR"', ''))
  expect(lines.map(({ amount, currency }) => `${amount} ${currency}`)).toEqual(['1.00 EUR', '2.00 EUR', '3.00 EUR'])
})

test('parties and references are read in old and new versions', async () => {
  const form = (name: string, ultimate: string) =>
    details(
      '<Refs><EndToEndId>NOTPROVIDED</EndToEndId><UETR>EB6305C9-1F7F-49DE-AED0-16487C27B42D</UETR></Refs><RltdPties>' +
        `<Dbtr>${name}</Dbtr><DbtrAcct><Id><IBAN>${specimenIban}</IBAN></Id></DbtrAcct><UltmtDbtr>${ultimate}</UltmtDbtr>` +
        '</RltdPties><RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref>' +
        '</CdtrRefInf></Strd></RmtInf>',
    )
  const forms = [
    form('<Nm>Ana Lima</Nm>', '<Nm>Rui Lima</Nm>'),
    form('<Pty><Nm>Ana Lima</Nm></Pty>', '<Pty><Nm>Rui Lima</Nm></Pty>'),
  ]
  for (const each of forms) {
    const [line] = await linesOf(camtFile(camtEntry('5', 'CRDT', each)))
    expect(line).toMatchObject({
      counterparty: { name: 'Ana Lima', ultimate: 'Rui Lima', iban: specimenIban, account: null, bic: null },
      endToEndId: null,
      uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
      structured: [{ scheme: 'SCOR', reference: 'RF18539007547034' }],
    })
  }
})

test('an account of zeros is not one', async () => {
  const account = '<DbtrAcct><Id><Othr><Id>0000000000</Id></Othr></Id></DbtrAcct>'
  const [line] = await linesOf(camtFile(camtEntry('1.00', 'CRDT', details(`<RltdPties>${account}</RltdPties>`))))
  expect(line?.counterparty.account).toBeNull()
})

test('an IBAN with wrong check digits is an account number', async () => {
  const account = '<RltdPties><DbtrAcct><Id><IBAN>DE00370400440532013000</IBAN></Id></DbtrAcct></RltdPties>'
  const [line] = await linesOf(camtFile(camtEntry('5', 'CRDT', details(account))))
  expect(line?.counterparty).toMatchObject({ iban: null, account: 'DE00370400440532013000' })
})

test('each version of each message is read', async () => {
  const messages = [
    ['052', 'BkToCstmrAcctRpt', 'Rpt'],
    ['053', 'BkToCstmrStmt', 'Stmt'],
    ['054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  ] as const
  for (const [number, root, report] of messages) {
    for (let version = 1; version <= 13; version++) {
      const name = `${number}.001.${String(version).padStart(2, '0')}`
      const { statements } = await read(camtFile(camtEntry('1', 'CRDT'), { version: name, root, report }))
      expect([statements[0]?.kind, statements[0]?.lines.length], name).toEqual([`camt.${number}`, 1])
    }
  }
})

test('the first version names its root element with a suffix', async () => {
  const { statements } = await read(
    camtFile(camtEntry('1', 'CRDT'), { version: '053.001.01', root: 'BkToCstmrStmtV01' }),
  )
  expect(statements[0]?.kind).toBe('camt.053')
})

test('a namespace prefix makes no difference', async () => {
  const prefixed = camtFile(camtEntry('1', 'CRDT'))
    .replace(/<(\/?)(\w)/g, '<$1n:$2')
    .replace('xmlns=', 'xmlns:n=')
  expect(await linesOf(prefixed)).toHaveLength(1)
})

test('a document in an envelope or behind its header is read', async () => {
  const file = camtFile(camtEntry('1', 'CRDT'))
  const header = '<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><MsgDefIdr>camt</MsgDefIdr></AppHdr>'
  const files = [
    `<?xml version="1.0"?><BizMsgEnvlp><Hdr>${header}</Hdr><Doc>${file}</Doc></BizMsgEnvlp>`,
    `<x:RequestPayload xmlns:x="y">${header}${file}</x:RequestPayload>`,
    `${header}\n${file}`,
  ]
  for (const each of files) {
    expect(detectFormat(Buffer.from(each)), each).toBe('camt')
    expect(await linesOf(each), each).toMatchObject([{ amount: '1.00', currency: 'EUR' }])
  }
  const [first, second] = (await read(`<Doc>${file}${file}</Doc>`)).statements
  expect([first?.lines.length, second?.lines.length]).toEqual([1, 1])
})

test('the encoding is what the declaration or the byte order mark says', async () => {
  const told = (encoding: string) =>
    camtFile(camtEntry('1', 'CRDT', '<AddtlNtryInf>Grüße</AddtlNtryInf>'), {
      head: `<?xml version="1.0" encoding="${encoding}"?>`,
    })
  const files = [
    Buffer.from(told('ISO-8859-1'), 'latin1'),
    Buffer.from(told('UTF-8')),
    Buffer.from(`\uFEFF${told('UTF-8')}`),
    Buffer.from(`\uFEFF${told('UTF-16')}`, 'utf16le'),
    Buffer.from(told('UTF-16LE'), 'utf16le'),
    Buffer.from(`\uFEFF${told('UTF-16')}`, 'utf16le').swap16(),
  ]
  for (const file of files) expect((await readChunks([file])).lines()[0]?.info).toEqual(['Grüße'])
})

test('the statement tells its account, number and balances before its lines', async () => {
  const owner =
    '<Acct><Id><IBAN>DE89 3704 0044 0532 0130 00</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Example Park</Nm></Ownr></Acct>'
  const body = `<ElctrncSeqNb>7</ElctrncSeqNb>${camtBalance('OPBD', '0.10')}${camtBalance('CLBD', '0.30')}`
  const file = camtFile(body + camtEntry('0.20', 'CRDT')).replace(/<Acct>.*<\/Acct>/, owner)
  const { begun, statements } = await read(file)
  expect(begun[0]).toEqual({
    kind: 'camt.053',
    externalId: '1',
    number: '7',
    account: specimenIban,
    accountName: 'Example Park',
    currency: 'EUR',
    opening: { amount: '0.10', direction: 'credit', currency: 'EUR', day: '2026-11-03' },
    closing: { amount: '0.30', direction: 'credit', currency: 'EUR', day: '2026-11-03' },
    warnings: [],
  })
  expect(statements).toHaveLength(1)
  const [statement] = statements
  expect(statement && balanceDifference(statement, sumBooked(statement.lines))).toBe('0.00')
})

test('of several days the first opening and the last closing balance count', async () => {
  const days = [camtBalance('OPBD', '2', '2026-11-04'), camtBalance('CLBD', '3', '2026-11-04')]
  const first = [camtBalance('OPBD', '1', '2026-11-03'), camtBalance('CLBD', '2', '2026-11-03')]
  const { begun } = await read(camtFile([...days, ...first].join('')))
  expect([begun[0]?.opening?.amount, begun[0]?.closing?.amount]).toEqual(['1.00', '3.00'])
})

test('a balance behind the entries is known when the statement ends', async () => {
  const { begun, statements } = await read(camtFile(camtEntry('1', 'CRDT') + camtBalance('CLBD', '9')))
  expect([begun[0]?.closing, statements[0]?.closing?.amount]).toEqual([null, '9.00'])
})

test('a balance that cannot be read is a warning', async () => {
  const { statements } = await read(camtFile(`\n${camtBalance('OPBD', 'what')}`))
  expect([statements[0]?.opening, statements[0]?.warnings]).toEqual([null, ['line 2: "what" is not a balance']])
})

test('a date that the calendar lacks is a warning', async () => {
  const [line] = await linesOf(camtFile(camtEntry('1', 'CRDT').replace('2026-11-03', '2026-02-30')))
  expect([line?.bookedOn, line?.warnings]).toEqual([null, ['"2026-02-30" is not a date']])
})

test('a line is named by where its entry begins, also in a file of one line', async () => {
  const entry = camtEntry('1', 'CRDT')
  const lines = await linesOf(camtFile(`\n${entry}\n${entry}${entry}`))
  expect(lines.map(({ place }) => place)).toEqual(['line 2', 'line 3', 'line 3, entry 3'])
})

test('bytes that are cut anywhere read the same', async () => {
  const entry = camtEntry('1.00', 'CRDT', '<AddtlNtryInf>Müller &amp; Söhne €</AddtlNtryInf>')
  const bytes = Buffer.from(camtFile(entry.repeat(5), { head: '\uFEFF<?xml version="1.0" encoding="UTF-8"?>' }))
  const whole = (await readChunks([bytes])).statements
  expect(whole[0]?.lines[4]?.info).toEqual(['Müller & Söhne €'])
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
      expect((await readChunks(chunks)).statements).toEqual(whole)
    }),
    { numRuns: 50 },
  )
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect((await readChunks(single)).statements).toEqual(whole)
})

test('entries are handed over in chunks while the file is read', async () => {
  let given = 0
  function* chunks() {
    yield Buffer.from(camtFile('').replace(/<\/Stmt>.*/, ''))
    for (; given < 5000; given++) yield Buffer.from(camtEntry('1.00', 'CRDT'))
    yield Buffer.from('</Stmt></BkToCstmrStmt></Document>')
  }
  const ahead: number[] = []
  let taken = 0
  const sink: StatementSink = {
    begin: async () => {},
    end: async () => {},
    unreadable: () => {},
    async lines(lines) {
      taken += lines.length
      ahead.push(given - taken)
    },
  }
  await readCamt(chunks(), sink)
  expect(taken).toBe(5000)
  expect(Math.max(...ahead)).toBeLessThan(1000)
})
