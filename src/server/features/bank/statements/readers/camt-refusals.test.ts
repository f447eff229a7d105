import { expect, test } from 'vitest'
import { camtEntry, camtFile, collectStatements } from '#test/support/bank-files.ts'
import { readCamt } from './camt.ts'
import { StatementError } from './statement.ts'

async function readBytes(bytes: Buffer) {
  const found = collectStatements()
  await readCamt([bytes], found.sink)
  return found
}
const read = (xml: string) => readBytes(Buffer.from(xml))

async function refusal(xml: string | Buffer): Promise<StatementError> {
  const error: unknown = await readBytes(Buffer.from(xml)).catch((caught: unknown) => caught)
  if (!(error instanceof StatementError)) throw new Error('the file was not refused', { cause: error })
  return error
}
const entry = camtEntry('1', 'CRDT')

test('broken XML names the line and the damage', async () => {
  const error = await refusal(`${'\n'.repeat(811)}<Document><BkToCstmrStmt><Stmt><Ntry>`)
  expect([error.message, error.place]).toEqual(['line 812: the file is damaged: unclosed tag: Ntry', 'line 812'])
})

test('a cut file is refused', async () => {
  expect((await refusal(camtFile(entry).slice(0, -20))).message).toMatch(/^line 1: the file is damaged: /)
})

test('a document type definition is refused', async () => {
  const { message } = await refusal(`<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]>${camtFile(entry)}`)
  expect(message).toBe('line 2: a document type definition is not taken')
})

test('an unknown entity is refused', async () => {
  const { message } = await refusal(camtFile(camtEntry('1', 'CRDT', '<AddtlNtryInf>&x;</AddtlNtryInf>')))
  expect(message).toBe('line 1: the file is damaged: undefined entity.')
})

test('another XML file is told to be no statement', async () => {
  const unknown = 'This is not a camt.052, camt.053, camt.054, MT940 or CSV file'
  expect((await refusal('<Document><CstmrCdtTrfInitn/></Document>')).message).toBe(unknown)
  expect((await refusal('<html><body/></html>')).message).toBe(unknown)
  expect((await refusal(`<Document>${'<a>'.repeat(60)}`)).message).toBe(unknown)
})

test('a file without a statement is refused', async () => {
  const { message } = await refusal('<Document><BkToCstmrStmt><GrpHdr/></BkToCstmrStmt></Document>')
  expect(message).toBe('The file holds no statement')
})

test('elements that are nested too deeply are refused', async () => {
  expect((await refusal(camtFile('<a>'.repeat(60)))).message).toBe('line 1: elements are nested too deeply')
})

test('more elements than any statement has are refused', async () => {
  expect((await refusal(camtFile('<a/>'.repeat(100_001)))).message).toBe('line 1: the file holds too many elements')
})

test('a text longer than 100,000 characters is refused', async () => {
  const { message } = await refusal(camtFile(`<a>${'x'.repeat(100_001)}</a>`))
  expect(message).toBe('line 1: a text is longer than 100,000 characters')
})

test('bytes that are not in the told encoding are refused', async () => {
  const latin = Buffer.from(camtFile(camtEntry('1', 'CRDT', '<AddtlNtryInf>\u00fc</AddtlNtryInf>')), 'latin1')
  expect((await refusal(latin)).message).toBe('The file is not utf-8, as it says')
})

test('an encoding that nobody knows is refused', async () => {
  const { message } = await refusal(camtFile(entry, { head: '<?xml version="1.0" encoding="klingon"?>' }))
  expect(message).toBe('The encoding klingon is not known')
})

test('an entry that cannot be read is named and the others are read', async () => {
  const bad = [
    camtEntry('1,00', 'CRDT'),
    camtEntry('-5.00', 'CRDT'),
    camtEntry('1.00', 'BOTH'),
    entry.replace(/<Amt.*<\/Amt>/, ''),
  ]
  const { unreadable, lines } = await read(camtFile(`\n${[entry, ...bad, entry].join('\n')}`))
  expect(lines()).toHaveLength(2)
  expect(unreadable).toEqual([
    'line 3: "1,00" is not an amount',
    'line 4: "-5.00" is not an amount',
    'line 5: the entry is neither CRDT nor DBIT',
    'line 6: the entry has no amount',
  ])
})

test('a large batch whose entry cannot be read is named once', async () => {
  const transactions = '<TxDtls><Amt Ccy="EUR">1.00</Amt></TxDtls>'.repeat(2500)
  const bad = camtEntry('1,00', 'CRDT', `<NtryDtls>${transactions}</NtryDtls>`)
  const { unreadable, lines } = await read(camtFile(bad + entry))
  expect([unreadable, lines().length]).toEqual([['line 1: "1,00" is not an amount'], 1])
})

test('a statement without an account is named and the others are read', async () => {
  const nameless = '<Stmt><Id>2</Id><Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry></Stmt>'
  const { unreadable, statements } = await read(
    camtFile(entry).replace('</BkToCstmrStmt>', `${nameless}</BkToCstmrStmt>`),
  )
  expect([unreadable, statements.length]).toEqual([['line 1: this statement names no account'], 1])
})
