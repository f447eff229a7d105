import { expect, test } from 'vitest'
import { camtEntry, camtFile, collectStatements } from '#test/support/bank-files.ts'
import { signedUnits } from './statement.ts'
import { readCamt } from './camt.ts'

async function read(xml: string) {
  const found = collectStatements()
  await readCamt([Buffer.from(xml)], found.sink)
  return found
}
const linesOf = async (xml: string) => (await read(xml)).lines()
const transaction = (amount: string, text: string, more = '') =>
  `<TxDtls>${amount && `<Amt Ccy="EUR">${amount}</Amt>`}${more}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
const batch = (amount: string, ...transactions: string[]) =>
  camtFile(camtEntry(amount, 'CRDT', `<NtryDtls>${transactions.join('')}</NtryDtls>`))

test('a batch becomes its transactions and a line of what they leave', async () => {
  const lines = await linesOf(batch('100.00', transaction('60.00', 'A'), transaction('38.50', 'B')))
  expect(lines.map(({ place, amount }) => [place, amount])).toEqual([
    ['line 1, transaction 1 of 2', '60.00'],
    ['line 1, transaction 2 of 2', '38.50'],
    ['line 1, rest', '1.50'],
  ])
  expect(lines.map(({ batch }) => batch)).toEqual([
    { total: '100.00', count: 2, index: 1 },
    { total: '100.00', count: 2, index: 2 },
    { total: '100.00', count: 2, isRest: true },
  ])
})

test('a batch that adds up has no line for a rest', async () => {
  expect(await linesOf(batch('100.00', transaction('60.00', 'A'), transaction('40.00', 'B')))).toHaveLength(2)
})

test('transactions that exceed the booked sum leave a debit', async () => {
  const lines = await linesOf(batch('100.00', transaction('60.00', 'A'), transaction('50.00', 'B')))
  expect(lines.at(-1)).toMatchObject({ amount: '10.00', direction: 'debit', batch: { isRest: true } })
})

test('a transaction may go against the direction of its batch', async () => {
  const debit = transaction('20.00', 'B', '<CdtDbtInd>DBIT</CdtDbtInd>')
  const lines = await linesOf(batch('40.00', transaction('60.00', 'A'), debit))
  expect(lines.map(({ amount, direction }) => [amount, direction])).toEqual([
    ['60.00', 'credit'],
    ['20.00', 'debit'],
  ])
})

test('a batch without amounts stays one line with all its texts', async () => {
  const lines = await linesOf(batch('100.00', transaction('', 'A'), transaction('', 'B')))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    place: 'line 1',
    amount: '100.00',
    remittance: ['A', 'B'],
    batch: { total: '100.00', count: 2, isWhole: true },
    warnings: ['2 transactions without amounts of their own'],
  })
})

test('the amount in the currency of the booking counts in a batch', async () => {
  const foreign =
    '<TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">70.00</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">60.00</Amt></TxAmt></AmtDtls></TxDtls>'
  const [line] = await linesOf(batch('100.00', foreign, transaction('40.00', 'B')))
  expect(line).toMatchObject({ amount: '60.00', instructed: { amount: '70.00', currency: 'USD' } })
})

test('each transaction may have details of its own', async () => {
  const parts = [transaction('60.00', 'A'), transaction('40.00', 'B')]
  const entry = camtEntry('100.00', 'CRDT', parts.map((part) => `<NtryDtls>${part}</NtryDtls>`).join(''))
  expect((await linesOf(camtFile(entry))).map(({ amount }) => amount)).toEqual(['60.00', '40.00'])
})

test('a batch of thousands is handed over piece by piece and adds up', async () => {
  const transactions = Array.from({ length: 3500 }, (_, at) => transaction('1.00', `T${at}`))
  const { chunks, lines } = await read(batch('3501.00', '<Btch><NbOfTxs>3500</NbOfTxs></Btch>', ...transactions))
  expect(Math.max(...chunks)).toBeLessThanOrEqual(1000)
  expect(lines()).toHaveLength(3501)
  expect(lines().reduce((sum, line) => sum + signedUnits(line), 0n)).toBe(350_100_000n)
  expect(lines()[3499]).toMatchObject({ remittance: ['T3499'], batch: { index: 3500, count: 3500 } })
})

test('the rest of a large batch holds the texts of transactions without amounts', async () => {
  const transactions = Array.from({ length: 1500 }, (_, at) => transaction(at === 1200 ? '' : '1.00', `T${at}`))
  const lines = await linesOf(batch('1500.00', ...transactions))
  expect(lines).toHaveLength(1500)
  expect(lines.at(-1)).toMatchObject({ amount: '1.00', remittance: ['T1200'], batch: { isRest: true } })
})

test('a large batch without amounts stays one line with its first texts', async () => {
  const transactions = Array.from({ length: 2500 }, (_, at) => transaction('', `T${at}`))
  const lines = await linesOf(batch('5.00', ...transactions))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ amount: '5.00', batch: { count: 2500, isWhole: true } })
  expect(lines[0]?.remittance).toHaveLength(1000)
})

test.each([
  ['one without an amount', transaction('', 'ORD-7')],
  ['one with an amount of its own', transaction('30.00', 'ORD-7')],
  ['two that are all of the sum', transaction('30.00', 'ORD-7') + transaction('188.00', 'ORD-8')],
])('a batch of three that details %s stays one line without a payer', async (_which, details) => {
  const party = '<RltdPties><Dbtr><Nm>Ana Lima</Nm></Dbtr></RltdPties>'
  const named = details.replace('<RmtInf>', `${party}<RmtInf>`)
  const lines = await linesOf(batch('218.00', '<Btch><NbOfTxs>3</NbOfTxs></Btch>', named))
  expect(lines).toMatchObject([
    { amount: '218.00', counterparty: { name: null }, batch: { total: '218.00', count: 3, isWhole: true } },
  ])
  expect(lines[0]!.remittance).toContain('ORD-7')
})

test('a single transaction below the booked credit leaves a rest that nobody paid', async () => {
  const payer = '<RltdPties><Dbtr><Nm>Ana Lima</Nm></Dbtr></RltdPties>'
  const lines = await linesOf(batch('300.00', transaction('100.00', 'A', payer)))
  expect(lines.map(({ amount, counterparty }) => [amount, counterparty.name])).toEqual([
    ['100.00', 'Ana Lima'],
    ['200.00', null],
  ])
})
