import { randomBytes } from 'node:crypto'
import { deflateRawSync, crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { camtEntry, camtFile, collectStatements, mt940File } from '#test/support/bank-files.ts'
import { readStatementFile } from './read-file.ts'
import { StatementError } from './statement.ts'

interface ZipEntry {
  name: string
  content: Buffer
  isStored?: boolean
  isEncrypted?: boolean
  /** What the directory says instead of the truth. */
  told?: { size?: number; crc?: number }
}

/** The fields that a file's own header and the directory share: version, flags, method, time, checksum, sizes, name length. */
function fieldsOf({ name, content, isStored, isEncrypted, told }: ZipEntry, packed: Buffer) {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x800 + (isEncrypted ? 1 : 0), 2)
  fields.writeUInt16LE(isStored ? 0 : 8, 4)
  fields.writeUInt32LE(told?.crc ?? crc32(content), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(told?.size ?? content.length, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

function zipOf(...entries: ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const packed = entry.isStored ? entry.content : deflateRawSync(entry.content)
    const fields = fieldsOf(entry, packed)
    const name = Buffer.from(entry.name)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, more, name]))
    files.push(file)
    offset += file.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...directory, end])
}

async function read(...entries: ZipEntry[]) {
  const found = collectStatements()
  await readStatementFile(zipOf(...entries), found.sink)
  return found
}
const camt = (name: string, body = camtEntry('1.00', 'CRDT')) => ({ name, content: Buffer.from(camtFile(body)) })
const mt940 = { name: 'b.sta', content: Buffer.from(mt940File(':61:261103C5,NTRFX')), isStored: true }
const unknown = 'This is not a camt.052, camt.053, camt.054, MT940 or CSV file'

test('each file of a zip is read, and places name it', async () => {
  const { statements, lines } = await read(camt('a.xml'), mt940)
  expect(statements.map(({ kind }) => kind)).toEqual(['camt.053', 'MT940'])
  expect(lines().map(({ place }) => place)).toEqual(['a.xml, line 1', 'b.sta, line 5'])
})

test('folders and empty names of a zip are left out', async () => {
  const empty = Buffer.alloc(0)
  const { statements, unreadable } = await read(
    { name: 'folder/', content: empty },
    { name: '', content: empty },
    { name: '__MACOSX/._a.xml', content: Buffer.from('\0\0') },
    camt('folder/a.xml'),
  )
  expect([statements.length, unreadable]).toEqual([1, []])
})

test('a file of a zip that is not a statement is named and the others are read', async () => {
  const { statements, unreadable } = await read({ name: 'list.pdf', content: Buffer.from('%PDF-1.4') }, camt('a.xml'))
  expect([statements.length, unreadable]).toEqual([1, [`list.pdf: ${unknown}`]])
})

test('a zip without a statement is refused', async () => {
  await expect(read()).rejects.toThrow(unknown)
  await expect(read({ name: 'list.pdf', content: Buffer.from('%PDF-1.4') })).rejects.toThrow(unknown)
})

test('what cannot be read in a zip is named with its file', async () => {
  const { unreadable } = await read(camt('a.xml', camtEntry('1,00', 'CRDT')))
  expect(unreadable).toEqual(['a.xml: line 1: "1,00" is not an amount'])
  await expect(read({ name: 'a.xml', content: Buffer.from('<Document>') })).rejects.toThrow(
    'a.xml: line 1: the file is damaged: unclosed tag: Document',
  )
})

test('a refusal by the account of a file in a zip names the file', async () => {
  const unknownAccount = {
    ...collectStatements().sink,
    begin: () => Promise.reject(new StatementError('DE89 … is not one of your accounts: add it first')),
  }
  const zip = zipOf(camt('a.xml'))
  await expect(readStatementFile(zip, unknownAccount)).rejects.toThrow('a.xml: DE89 … is not one of your accounts')
  const csv = {
    name: 'b.csv',
    content: Buffer.from('IBAN;NL91ABNA0417164300\nDate;Amount;Name\n25/11/2026;1.00;Ana\n'),
  }
  await expect(readStatementFile(zipOf(csv), collectStatements().sink)).rejects.toMatchObject({
    place: 'b.csv',
    message: 'b.csv: How this bank writes CSV is not known yet: confirm the columns first',
  })
  const csvAccount = { account: 'DE89370400440532013000', accountName: null, currency: 'EUR', form: null }
  const other = readStatementFile(zipOf(csv), collectStatements().sink, { csvAccount })
  await expect(other).rejects.toMatchObject({ place: 'b.csv', named: 'NL91ABNA0417164300' })
})

test('a zip within a zip is refused', async () => {
  await expect(read({ name: 'more.zip', content: zipOf(camt('a.xml')) })).rejects.toThrow(
    'more.zip: a zip within a zip is not taken',
  )
})

test('an encrypted file is refused', async () => {
  await expect(read({ ...camt('a.xml'), isEncrypted: true })).rejects.toThrow('a.xml: the file is encrypted')
})

test('a file that becomes more than 100 times larger is refused', async () => {
  const bomb = { name: 'a.xml', content: Buffer.alloc(1_000_000, ' ') }
  await expect(read(bomb)).rejects.toThrow('a.xml: the file becomes more than 100 times larger when it is unpacked')
})

test('a file that is larger than its zip says is refused', async () => {
  const liar = { ...camt('a.xml', camtEntry('1.00', 'CRDT').repeat(50)), told: { size: 100 } }
  await expect(read(liar)).rejects.toThrow(/^a\.xml: the file is damaged: /)
})

test('a file whose bytes have changed is refused', async () => {
  await expect(read({ ...camt('a.xml'), told: { crc: 1 } })).rejects.toThrow(
    'a.xml: the file is damaged: its checksum is wrong',
  )
})

test('a zip of more than 200 files is refused', async () => {
  const files = Array.from({ length: 201 }, (_, at) => camt(`${at}.xml`))
  await expect(read(...files)).rejects.toThrow('A zip has at most 200 files')
  const { statements } = await read(...files.slice(0, 200))
  expect(statements).toHaveLength(200)
})

test('a zip whose files have more than 50 MB is refused', async () => {
  const large = { name: 'a.xml', content: randomBytes(600_000), told: { size: 51 * 1024 * 1024 } }
  await expect(read(large)).rejects.toThrow('A statement file has at most 50 MB and 100,000 lines')
})

test('a cut zip is refused', async () => {
  const cut = zipOf(camt('a.xml')).subarray(0, -30)
  await expect(readStatementFile(cut, collectStatements().sink)).rejects.toThrow(/^The zip is damaged: /)
})
