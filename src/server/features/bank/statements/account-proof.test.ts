import { expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

let accounts = 0
async function addAccount(more: object = {}) {
  const account = `00${(accounts += 1)}4713`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account, ...more })
  const own = (file: string) => file.replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
  const entries = (amounts: string[], day: string) =>
    amounts
      .map((amount) => camtEntry(amount.replace('-', ''), amount.startsWith('-') ? 'DBIT' : 'CRDT'))
      .join('')
      .replaceAll('2026-11-03', day)
  return {
    id,
    statement: (day: string, from: string, to: string, ...amounts: string[]) =>
      bank.importFile(
        own(
          camtFile(camtBalance('OPBD', from, day) + camtBalance('CLBD', to, day) + entries(amounts, day), {
            iban: 'X',
          }),
        ),
      ),
    report: (version: string, root: string, report: string, day: string, ...amounts: string[]) =>
      bank.importFile(own(camtFile(entries(amounts, day), { iban: 'X', version, root, report }))),
    read: async () => (await bank.accounts()).find((each) => each.id === id)!,
  }
}

test('an account adds up from its first balance to its last, whatever came first (product 6.11)', async () => {
  const { statement, read } = await addAccount()
  expect((await read()).proof).toBeNull()
  await statement('2026-11-05', '105.00', '102.50', '-2.50')
  await statement('2026-11-04', '100.00', '105.00', '3.00', '2.00')
  expect((await read()).proof).toEqual({
    opening: '100.00',
    openingOn: '2026-11-04',
    credits: '5.00',
    debits: '2.50',
    accepted: '0.00',
    closing: '102.50',
    closingOn: '2026-11-05',
    difference: '0.00',
  })
})

test('two statements of one day are in their order, whichever came first (product 6.11)', async () => {
  const { statement, read } = await addAccount()
  await statement('2026-11-04', '5.00', '9.00', '4.00')
  await statement('2026-11-04', '0.00', '5.00', '5.00')
  expect((await read()).proof).toMatchObject({ opening: '0.00', closing: '9.00', difference: '0.00' })
})

test('a day that CSV files leave out is in the account’s own sum (product 6.11)', async () => {
  const csvProfile = {
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 0,
    columns: { bookedOn: 0, name: 1, amount: 2, balance: 3 },
    decimalSign: ',',
    dateOrder: 'dmy',
  }
  const { id, read } = await addAccount({ csvProfile })
  const take = (rows: string, fileName: string) =>
    bank.importFile(`Datum;Name;Betrag;Saldo\n${rows}`, { fileName, accountId: id })
  await take('20.11.2026;A;50,00;150,00\n20.11.2026;B;500,00;650,00\n', 'one.csv')
  await take('23.11.2026;C;10,00;710,00\n', 'two.csv')
  expect(await read()).toMatchObject({
    problems: { differences: { count: 0 }, gaps: { count: 0 } },
    proof: { opening: '100.00', credits: '560.00', closing: '710.00', difference: '-50.00' },
  })
})

test('a gap is told with its sum, which counts once it is accepted (product 6.11)', async () => {
  const { id, statement, read } = await addAccount()
  await statement('2026-11-03', '0.00', '5.00', '5.00')
  await statement('2026-11-06', '9.00', '11.00', '2.00')
  expect(await read()).toMatchObject({
    problems: { gaps: { count: 1, oldest: { amount: '4.00' } } },
    proof: { accepted: '0.00', difference: '-4.00' },
  })
  const listed = (await bank.call('GET', `/api/bank/statements?accountId=${id}&attention=gap`)).json()
  expect(listed.statements).toMatchObject([{ jump: '4.00' }])
  const reason = 'The account was closed for a while'
  await bank.call('POST', `/api/bank/statements/${listed.statements[0].id}/accept-gap`, { reason })
  expect(await read()).toMatchObject({
    problems: { gaps: { count: 0, oldest: null } },
    proof: { accepted: '4.00', difference: '0.00' },
  })
})

test('lines before the first balance and after the last are not in the own sum (product 6.11)', async () => {
  const { statement, report, read } = await addAccount()
  await report('052.001.08', 'BkToCstmrAcctRpt', 'Rpt', '2026-11-01', '7.00', '-1.00')
  await statement('2026-11-03', '0.00', '5.00', '5.00')
  await report('052.001.08', 'BkToCstmrAcctRpt', 'Rpt', '2026-11-04', '8.00')
  const { booked, proof } = await read()
  expect(booked).toMatchObject({ credits: '20.00', debits: '1.00' })
  expect(proof).toMatchObject({ credits: '5.00', debits: '0.00', difference: '0.00' })
})

test('a notification is not the latest statement beside one with balances (product 5.13)', async () => {
  const { statement, report, read } = await addAccount()
  await statement('2026-11-03', '0.00', '5.00', '5.00')
  await report('054.001.08', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', '2026-11-03', '5.00')
  expect((await read()).latest).toMatchObject({ kind: 'camt.053', closing: '5.00' })
})
