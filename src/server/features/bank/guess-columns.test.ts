import { expect, test } from 'vitest'
import { specimenIban } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const account = await bank.addAccount()
const guess = (body: object, id = account.id) => bank.call('POST', `/api/bank/accounts/${id}/guess-columns`, body)

const headings = ['Buchungstag', 'Betrag', 'Verwendungszweck', 'Auftraggeber', 'Konto']
const rows = [
  ['23.11.2026', '1.500,00', 'ORD-1', 'Ana Lima', specimenIban],
  ['24.11.2026', '-20,50', 'Fee', '', specimenIban],
]

test('the columns of a table are guessed by its headings and rows (product 5.13)', async () => {
  const reply = await guess({ headings, rows })
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      columns: { bookedOn: 0, amount: 1, remittance: 2, name: 3, ownAccount: 4 },
      decimalSign: ',',
      dateOrder: 'dmy',
      unsure: [],
    },
  ])
})

test('what a table does not tell stays open (product 5.13)', async () => {
  const unclear = { headings: ['Date', 'Amount'], rows: [['03/04/2026', '1.500']] }
  expect((await guess(unclear)).json()).toEqual({
    columns: { bookedOn: 0, amount: 1 },
    decimalSign: null,
    dateOrder: null,
    unsure: [],
  })
  expect((await guess({ headings: [], rows: [['x'], []] })).json()).toMatchObject({ columns: {}, decimalSign: null })
})

test('a question about columns changes nothing, and a bad one is refused', async () => {
  const [before] = await bank.accounts()
  await guess({ headings, rows })
  expect((await bank.accounts())[0]).toEqual(before)
  for (const body of [{}, { headings }, { headings, rows: [['x'.repeat(201)]] }, { headings, rows: [[1]] }])
    expect((await guess(body)).json()).toMatchObject({ code: 'invalid' })
  expect((await guess({ headings, rows }, '999999')).statusCode).toBe(404)
})
