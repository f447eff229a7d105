import { expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile, mt940File } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

/** Each test has an account of its own. */
const ibans = [
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'NL91ABNA0417164300',
  'FR1420041010050500013M02606',
  'CH9300762011623852957',
  'AT611904300234573201',
  'BE68539007547034',
  'ES9121000418450200051332',
  'PT50000201231234567890154',
  'NO9386011117947',
]
async function makeAccount() {
  const account = await bank.addAccount({ account: ibans.shift() })
  const lines = async () => (await bank.lines({ accountId: account.id })).map(({ amount, state }) => [amount, state])
  const send = (file: string) => bank.importFile(file.replaceAll('DE89370400440532013000', account.account))
  const count = async (file: string) => {
    const { import: taken } = await send(file)
    return [taken.linesNew, taken.linesKnown]
  }
  return { account, lines, count, send }
}

const text = (value: string) => `<NtryDtls><TxDtls><RmtInf><Ustrd>${value}</Ustrd></RmtInf></TxDtls></NtryDtls>`
const credit = (amount: string, value = 'x', status?: string) => camtEntry(amount, 'CRDT', text(value), status)

test('an overlapping file brings only what is new (product 6.11)', async () => {
  const { count, lines } = await makeAccount()
  expect(await count(camtFile(credit('1.00') + credit('2.00')))).toEqual([2, 0])
  expect(await count(camtFile(credit('2.00') + credit('3.00')))).toEqual([1, 1])
  expect((await lines()).map(([amount]) => amount)).toEqual(['3.00', '2.00', '1.00'])
})

test('two equal payments of one statement are two lines, in each file the same two', async () => {
  const { count } = await makeAccount()
  expect(await count(camtFile(credit('5.00') + credit('5.00')))).toEqual([2, 0])
  expect(await count(camtFile(`${credit('5.00')} ${credit('5.00')}`))).toEqual([0, 2])
  expect(await count(camtFile(credit('5.00') + credit('5.00') + credit('5.00')))).toEqual([1, 2])
})

/** A statement of November 3 with one payment of 5.00, always the same. */
const day = (number: string, opening: string, closing: string) =>
  mt940File(':61:261103C5,00NTRFNONREF', ':86:SAME', `:62F:C261103EUR${closing}`)
    .replace(':28C:1/1', `:28C:${number}/1`)
    .replace('C261101EUR100,00', `C261103EUR${opening}`)

test('an equal payment in a statement that continues another is another payment', async () => {
  const { count } = await makeAccount()
  expect(await count(day('1', '100,00', '105,00'))).toEqual([1, 0])
  expect(await count(day('2', '105,00', '110,00'))).toEqual([1, 0])
})

test('the next number continues a statement of its day, whatever day it begins with', async () => {
  const { account, count } = await makeAccount()
  const begun = (file: string) => file.replace(':60F:C261103', ':60F:C261102')
  expect(await count(begun(day('1', '100,00', '105,00')))).toEqual([1, 0])
  expect(await count(begun(day('2', '105,00', '110,00')))).toEqual([1, 0])
  expect(await count(begun(`${day('2', '105,00', '110,00')}\r\n`))).toEqual([0, 1])
  const next = mt940File(':61:261104C1,00NTRFNONREF', ':62F:C261104EUR111,00')
  await count(next.replace(':28C:1/1', ':28C:3/1').replace('C261101EUR100,00', 'C261103EUR110,00'))
  const now = (await bank.accounts()).find(({ id }) => id === account.id)
  expect(now).toMatchObject({
    problems: { differences: { count: 0 }, gaps: { count: 0 } },
    proof: { difference: '0.00' },
  })
})

test('a statement that continues another is known when its own file comes again', async () => {
  const { count } = await makeAccount()
  for (const once of ['', '\r\n', '\r\n\r\n']) {
    const expected = once === '' ? [1, 0] : [0, 1]
    expect(await count(day('1', '100,00', '105,00') + once)).toEqual(expected)
    expect(await count(day('2', '105,00', '110,00') + once)).toEqual(expected)
    expect(await count(day('3', '110,00', '115,00') + once)).toEqual(expected)
  }
})

test('a statement of an account that always ends at zero is known when it comes again', async () => {
  const { count } = await makeAccount()
  const swept = (number: string, more = '') =>
    mt940File(':61:261103C5,00NTRFNONREF', ':86:SAME', ':61:261103D5,00NTRFNONREF', ':86:SWEEP', ':62F:C261103EUR0,00')
      .replace(':28C:1/1', `:28C:${number}/1`)
      .replace('C261101EUR100,00', 'C261103EUR0,00') + more
  for (const number of ['1', '2', '3']) expect(await count(swept(number))).toEqual([2, 0])
  for (const number of ['2', '1', '3']) expect(await count(swept(number, '\r\n'))).toEqual([0, 2])
})

test("a day's report does not make its lines new in the statement of the day", async () => {
  const { count } = await makeAccount()
  const balances = (opening: string, closing: string, day: string) =>
    camtBalance('OPBD', opening, day) + camtBalance('CLBD', closing, day)
  const numbered = (number: string, body: string) => `<ElctrncSeqNb>${number}</ElctrncSeqNb>${body}`
  const yesterday = camtFile(numbered('1', balances('0.00', '9.00', '2026-11-02') + credit('9.00', 'before')))
  expect(await count(yesterday)).toEqual([1, 0])
  const report = { version: '052.001.08', root: 'BkToCstmrAcctRpt', report: 'Rpt' }
  expect(await count(camtFile(numbered('7', credit('5.00')), report))).toEqual([1, 0])
  const today = camtFile(numbered('2', balances('9.00', '19.00', '2026-11-03') + credit('5.00') + credit('5.00')))
  expect(await count(today)).toEqual([1, 1])
})

test('a line that was only announced becomes work when it is booked', async () => {
  const { count, lines } = await makeAccount()
  const pending = '<Sts><Cd>PDNG</Cd></Sts>'
  expect(await count(camtFile(credit('4.00', 'y', pending)))).toEqual([1, 0])
  expect(await lines()).toEqual([['4.00', 'pending']])
  expect(await count(camtFile(credit('4.00', 'y')))).toEqual([0, 1])
  expect(await lines()).toEqual([['4.00', 'open']])
  expect(await count(camtFile(`${credit('4.00', 'y', pending)} `))).toEqual([0, 1])
  expect(await lines()).toEqual([['4.00', 'open']])
})

test('lines are counted over the batches in which they are written', async () => {
  const { count } = await makeAccount()
  const many = Array.from({ length: 1203 }, (_, at) => credit('0.50', `text ${at % 400}`)).join('')
  expect(await count(camtFile(many))).toEqual([1203, 0])
  expect(await count(camtFile(`${many} `))).toEqual([0, 1203])
})

test('twelve imports of one file at once store it once', async () => {
  const { account } = await makeAccount()
  const body = Array.from({ length: 60 }, (_, at) => credit('1.00', `storm ${at % 20}`)).join('')
  const file = camtFile(body, { iban: account.account })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, at) => createBankCaller(server, `operator-${at % 4}`).send(file)),
  )
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(11).fill(409)])
  expect(await bank.lines({ accountId: account.id, limit: '100' })).toHaveLength(60)
})
