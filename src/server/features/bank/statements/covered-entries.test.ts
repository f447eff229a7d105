import { expect, test } from 'vitest'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

let accounts = 0
async function addAccount() {
  const account = `00${(accounts += 1)}4711`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account })
  const write = (entry: string, shape: object, note: string) =>
    camtFile(entry, { iban: 'X', ...shape })
      .replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
      .concat(`<!-- ${note} -->`)
  return {
    id,
    /** The statement, which has the sum alone. */
    sum: (note = '') => write(camtEntry('100.00', 'CRDT', '<AcctSvcrRef>R-1</AcctSvcrRef>'), {}, note),
    /** The notification, which names its transactions. */
    transactions: (...amounts: string[]) => {
      const details = amounts.map(
        (amount, n) => `<TxDtls><Refs><AcctSvcrRef>T-${n}</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`,
      )
      const entry = `<AcctSvcrRef>R-1</AcctSvcrRef><NtryDtls>${details.join('')}</NtryDtls>`
      const shape = { version: '054.001.08', root: 'BkToCstmrDbtCdtNtfctn', report: 'Ntfctn' }
      return write(camtEntry('100.00', 'CRDT', entry), shape, '')
    },
    states: async () =>
      (await bank.lines({ accountId: id })).map(({ amount, state }) => `${amount} ${state}`).toSorted(),
    bookedCredits: async () => (await bank.accounts()).find((each) => each.id === id)!.booked.credits,
  }
}
const writeOff = (line: { id: string }, amount: string) =>
  bank.call('POST', `/api/bank/lines/${line.id}/allocations`, {
    allocations: [{ purpose: 'ignored', amount, code: 'other_business' }],
  })

test('transactions take the place of the sum that came before them (product 6.11)', async () => {
  const { sum, transactions, states, bookedCredits } = await addAccount()
  await bank.importFile(sum())
  expect(await states()).toEqual(['100.00 open'])
  await bank.importFile(transactions('60.00', '40.00'))
  expect(await states()).toEqual(['100.00 info', '40.00 open', '60.00 open'])
  expect(await bookedCredits()).toBe('100.00')
})

test('a sum that comes after its transactions is not work (product 6.11)', async () => {
  const { sum, transactions, states, bookedCredits } = await addAccount()
  await bank.importFile(transactions('60.00', '38.50'))
  await bank.importFile(sum())
  expect(await states()).toEqual(['1.50 open', '100.00 info', '38.50 open', '60.00 open'])
  expect(await bookedCredits()).toBe('100.00')
  expect((await bank.importFile(sum('again'))).import).toMatchObject({ linesNew: 0, linesKnown: 1 })
  expect(await states()).toContain('100.00 info')
})

test('transactions of a sum that has a purpose are information alone (product 6.11)', async () => {
  const { id, sum, transactions, states, bookedCredits } = await addAccount()
  await bank.importFile(sum())
  const [line] = await bank.lines({ accountId: id })
  expect((await writeOff(line!, '30.00')).statusCode).toBe(200)
  await bank.importFile(transactions('60.00', '40.00'))
  expect(await states()).toEqual(['100.00 part', '40.00 info', '60.00 info'])
  expect(await bookedCredits()).toBe('100.00')
})

test('a sum with one transaction under another reference is counted once (product 6.11)', async () => {
  const { sum, transactions, states } = await addAccount()
  await bank.importFile(sum())
  await bank.importFile(transactions('100.00'))
  expect(await states()).toEqual(['100.00 info', '100.00 open'])
})
