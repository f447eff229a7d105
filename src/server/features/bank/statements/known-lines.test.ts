import { expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile, mt940File, specimenIban } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

const notification = { version: '054.001.08', root: 'BkToCstmrDbtCdtNtfctn', report: 'Ntfctn' }
const report = { version: '052.001.08', root: 'BkToCstmrAcctRpt', report: 'Rpt' }

let accounts = 0
async function addAccount() {
  const account = `00${(accounts += 1)}4712`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account })
  const send = async (file: string) => {
    const own = file.replace(`<IBAN>${specimenIban}</IBAN>`, `<Othr><Id>${account}</Id></Othr>`)
    const { import: taken, warnings } = await bank.importFile(own.replace(specimenIban, account))
    return { counts: [taken.linesNew, taken.linesKnown], warnings }
  }
  return {
    send,
    camt: (body: string, shape = {}) => send(camtFile(body, shape)),
    find: async () => (await bank.accounts()).find((each) => each.id === id)!,
  }
}

const entry = (name: string, amount = '100.00', head = '') =>
  camtEntry(
    amount,
    'CRDT',
    `<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties></TxDtls></NtryDtls>`,
  ).replace('<Ntry>', `<Ntry>${head}`)
/** An entry with its number within the file, and no reference. */
const numbered = (number: number, name: string, amount?: string) => entry(name, amount, `<NtryRef>${number}</NtryRef>`)
const referred = (reference: string, name: string, amount?: string) =>
  entry(name, amount).replace('<NtryDtls>', `<AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls>`)
const balances = (opening: string, closing: string) => camtBalance('OPBD', opening) + camtBalance('CLBD', closing)

test('files that number their entries from 1 each bring their own payments (product 6.11)', async () => {
  const { camt, find } = await addAccount()
  expect((await camt(numbered(1, 'Ana Lima'), notification)).counts).toEqual([1, 0])
  expect((await camt(numbered(1, 'Bo Nilsson'), notification)).counts).toEqual([1, 0])
  expect((await find()).booked.credits).toBe('200.00')
})

test('a statement after a gap brings the payment whose number came before (product 6.11)', async () => {
  const { camt, find } = await addAccount()
  await camt(`<LglSeqNb>1</LglSeqNb>${balances('0.00', '100.00')}${numbered(1, 'Ana Lima')}`)
  const third = `<LglSeqNb>3</LglSeqNb>${balances('250.00', '350.00')}${numbered(1, 'Bo Nilsson')}`
  expect((await camt(third)).counts).toEqual([1, 0])
  expect((await find()).booked.credits).toBe('200.00')
})

test('a statement that numbers its entries again brings nothing again (product 6.11)', async () => {
  const { camt } = await addAccount()
  const both = [numbered(1, 'Ana Lima'), numbered(2, 'Bo Nilsson', '50.00')]
  expect((await camt(balances('0.00', '150.00') + both.join(''))).counts).toEqual([2, 0])
  const again = [numbered(1, 'Bo Nilsson', '50.00'), numbered(2, 'Ana Lima')]
  expect(await camt(balances('0.00', '150.00') + again.join(''))).toEqual({ counts: [0, 2], warnings: [] })
})

test('a payment that report and statement number apart is one line (product 6.11)', async () => {
  const { camt, find } = await addAccount()
  await camt(numbered(1, 'Ana Lima'), report)
  expect((await camt(balances('0.00', '100.00') + numbered(7, 'Ana Lima'))).counts).toEqual([0, 1])
  expect((await find()).booked).toMatchObject({ count: 1, credits: '100.00' })
})

test('a reference that is the same for all keeps no payment out (product 6.11)', async () => {
  const { send, find } = await addAccount()
  const file = (name: string, reference: string) =>
    mt940File(`:61:261103C100,00NTRFNONREF//${reference}`, `:86:166?00CREDIT?20SVWZ+first?32${name}`)
  for (const reference of ['0000000000', 'Test']) {
    expect((await send(file('ANA LIMA', reference))).counts).toEqual([1, 0])
    expect((await send(file('BO NILSSON', reference))).counts, reference).toEqual([1, 0])
    expect((await send(`${file('BO NILSSON', reference)}\r\n`)).counts, reference).toEqual([0, 1])
  }
  expect((await find()).booked.credits).toBe('400.00')
})

test('a known reference of another payment is told (product 6.11)', async () => {
  const { camt } = await addAccount()
  await camt(referred('R-1', 'Ana Lima'), notification)
  const { counts, warnings } = await camt(referred('R-1', 'Bo Nilsson'), notification)
  expect({ counts, warnings }).toEqual({
    counts: [1, 0],
    warnings: [
      'line 1: its reference R-1 is also that of a payment of another payer or text, so that both are counted',
    ],
  })
})

test('a reference for all does not make one payment of two kinds of files (product 6.11)', async () => {
  const { camt, find } = await addAccount()
  await camt(referred('0000', 'Ana Lima'), report)
  await camt(balances('0.00', '100.00') + referred('0000', 'Bo Nilsson'))
  expect((await find()).booked.credits).toBe('200.00')
})

test('a payment that comes again with another amount is told (product 6.11)', async () => {
  const { camt, find } = await addAccount()
  await camt(balances('0.00', '150.00') + referred('R-1', 'Ana Lima') + referred('R-2', 'Bo Nilsson', '50.00'))
  const corrected = balances('0.00', '160.00') + referred('R-1', 'Ana Lima', '110.00')
  expect(await camt(corrected + referred('R-2', 'Bo Nilsson', '50.00'))).toEqual({
    counts: [1, 1],
    warnings: ['line 1: came before with 100.00 instead of 110.00 (statement.xml, line 1), so that both are counted'],
  })
  expect((await find()).proof).toMatchObject({ difference: '100.00' })
})

test('two payments of one payer in reports of a day are no correction (product 6.11)', async () => {
  const { camt } = await addAccount()
  await camt(entry('Ana Lima'), notification)
  expect(await camt(entry('Ana Lima', '50.00'), notification)).toEqual({ counts: [1, 0], warnings: [] })
})
