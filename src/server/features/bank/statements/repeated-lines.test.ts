import { expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile, mt940File } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

let accounts = 0
async function addAccount() {
  const account = `00${(accounts += 1)}8899`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account })
  const asOwn = (file: string) =>
    file.replace('<IBAN>DE89370400440532013000</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
  let sequence = 0
  return {
    id,
    /** A file of whatever kind. */
    take: (...given: Parameters<typeof camtFile>) => bank.importFile(asOwn(camtFile(...given))),
    /** What the bank announces during the day. */
    report: (...entries: string[]) =>
      bank.importFile(
        asOwn(
          camtFile(`<ElctrncSeqNb>${(sequence += 1)}</ElctrncSeqNb>${entries.join('')}`, {
            version: '052.001.08',
            root: 'BkToCstmrAcctRpt',
            report: 'Rpt',
          }),
        ),
      ),
    /** What it has booked at its end. */
    statement: (closing: string, ...entries: string[]) =>
      bank.importFile(asOwn(camtFile(camtBalance('OPBD', '100.00') + entries.join('') + camtBalance('CLBD', closing)))),
    mt940: (...rows: string[]) => bank.importFile(mt940File(...rows).replace('DE89370400440532013000', account)),
    states: async () =>
      (await bank.lines({ accountId: id })).map(({ amount, state }) => `${amount} ${state}`).toSorted(),
    bookedCredits: async () => (await bank.accounts()).find((each) => each.id === id)!.booked.credits,
    lines: () => bank.lines({ accountId: id }),
  }
}

interface Detail {
  text?: string
  reference?: string
  endToEndId?: string
  payer?: string
}
const entry = (amount: string, { text, reference, endToEndId, payer }: Detail = {}) =>
  camtEntry(
    amount,
    'CRDT',
    (reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : '') +
      '<NtryDtls><TxDtls>' +
      (endToEndId ? `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>` : '') +
      (payer ? `<RltdPties><DbtrAcct><Id><IBAN>${payer}</IBAN></Id></DbtrAcct></RltdPties>` : '') +
      (text ? `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>` : '') +
      '</TxDtls></NtryDtls>',
  )
const priya = 'GB29NWBK60161331926819'
const felix = 'NL91ABNA0417164300'

const writeOff = (line: { id: string }, amount: string) =>
  bank.call('POST', `/api/bank/lines/${line.id}/allocations`, {
    allocations: [{ purpose: 'ignored', amount, code: 'other_business' }],
  })

test('a payment that a report announced without its reference is counted once (product 6.11)', async () => {
  const { report, statement, states, bookedCredits } = await addAccount()
  await report(entry('310.00', { text: 'ORD-30001' }), entry('320.00', { endToEndId: 'PRIYA-77' }))
  const { warnings } = await statement(
    '730.00',
    entry('310.00', { text: 'ORD-30001', reference: 'R-1' }),
    entry('320.00', { endToEndId: 'PRIYA-77', reference: 'R-2' }),
  )
  expect(warnings).toEqual(['2 lines are in another kind of file as well, and counted once'])
  expect(await states()).toEqual(['310.00 info', '310.00 open', '320.00 info', '320.00 open'])
  expect(await bookedCredits()).toBe('630.00')
})

test('a report that comes after the statement brings no work (product 6.11)', async () => {
  const { report, statement, lines, bookedCredits } = await addAccount()
  const taken = await statement('410.00', entry('310.00', { text: 'ORD-30001', reference: 'R-1' }))
  await report(entry('310.00', { text: 'ORD-30001' }))
  const [open] = (await lines()).filter(({ state }) => state === 'open')
  expect(open!.statementId).toBe(taken.statements[0]!.id)
  expect(await bookedCredits()).toBe('310.00')
})

test('a line that has a purpose stays, and the later one of its payment is information', async () => {
  const { report, statement, states, lines } = await addAccount()
  await report(entry('310.00', { text: 'ORD-30001' }))
  expect((await writeOff((await lines())[0]!, '310.00')).statusCode).toBe(200)
  await statement('410.00', entry('310.00', { text: 'ORD-30001', reference: 'R-1' }))
  expect(await states()).toEqual(['310.00 info', '310.00 settled'])
})

test('a sum that a report announced is counted once beside its transactions', async () => {
  const { report, statement, states, bookedCredits } = await addAccount()
  await report(camtEntry('690.00', 'CRDT', '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch></NtryDtls>'))
  const transaction = (amount: string) =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RmtInf><Ustrd>P ${amount}</Ustrd></RmtInf></TxDtls>`
  const details = `<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${transaction('340.00')}${transaction('350.00')}</NtryDtls>`
  await statement('790.00', camtEntry('690.00', 'CRDT', `<AcctSvcrRef>R-1</AcctSvcrRef>${details}`))
  expect(await states()).toEqual(['340.00 open', '350.00 open', '690.00 info'])
  expect(await bookedCredits()).toBe('690.00')
})

test('equal payments are as many as the statement has', async () => {
  const { report, statement, states } = await addAccount()
  await report(entry('50.00', { text: 'savings' }))
  await statement(
    '200.00',
    entry('50.00', { text: 'savings', reference: 'R-1' }),
    entry('50.00', { text: 'savings', reference: 'R-2' }),
  )
  expect(await states()).toEqual(['50.00 info', '50.00 open', '50.00 open'])
})

test('payments of other payers, texts or references are other payments', async () => {
  const { report, statement, states, bookedCredits } = await addAccount()
  await report(
    entry('10.00', { text: 'rent', payer: priya }),
    entry('20.00', { endToEndId: 'A-1' }),
    entry('30.00', { text: 'gift for Ada' }),
    entry('40.00', { text: 'fee', reference: 'R-0' }),
  )
  const { warnings } = await statement(
    '200.00',
    entry('10.00', { text: 'rent', payer: felix, reference: 'R-1' }),
    entry('20.00', { endToEndId: 'A-2', reference: 'R-2' }),
    entry('30.00', { text: 'invoice 7', reference: 'R-3' }),
    entry('40.00', { text: 'fee', reference: 'R-4' }),
  )
  expect((await states()).filter((state) => state.endsWith('open'))).toHaveLength(8)
  expect(await bookedCredits()).toBe('200.00')
  expect(warnings).toEqual([
    "4 lines of these days are in other files, but not in the bank's statement: 100.00 in, 0.00 out",
  ])
})

test('payments that are alike by the thousand are left alone, and the answer says so', async () => {
  const { report, statement, bookedCredits } = await addAccount()
  const make = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => entry('1.00', { text: `${name} ${n}` }))
  await report(...make(500, 'fee'))
  const { warnings } = await statement('601.00', ...make(501, 'rent'))
  expect(warnings).toContain(
    'So many payments of these days are alike that not all were compared with those of other kinds of files: some may count twice',
  )
  expect(await bookedCredits()).toBe('1001.00')
})

test('payments of a sum that a statement has are not missed by a second one of the day', async () => {
  const { take, bookedCredits } = await addAccount()
  const sum = (...payments: string[]) =>
    camtEntry(
      '3000.00',
      'CRDT',
      `<AcctSvcrRef>S-1</AcctSvcrRef>${payments.length > 0 ? `<NtryDtls>${payments.join('')}</NtryDtls>` : ''}`,
    )
  const part = (amount: string, text: string) =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
  await take(sum(part('1000.00', 'ORD-1'), part('2000.00', 'ORD-2')), {
    version: '054.001.08',
    root: 'BkToCstmrDbtCdtNtfctn',
    report: 'Ntfctn',
  })
  const first = camtBalance('OPBD', '0.00') + sum() + camtBalance('CLBD', '3000.00')
  const second = `<LglSeqNb>2</LglSeqNb>${camtBalance('OPBD', '3000.00')}${entry('5.00', { text: 'rent' })}${camtBalance('CLBD', '3005.00')}`
  expect((await take(`<LglSeqNb>1</LglSeqNb>${first}`)).warnings).toEqual([])
  expect((await take(second)).warnings).toEqual([])
  expect(await bookedCredits()).toBe('3005.00')
  const { warnings } = await take(entry('1234.00', { text: 'never booked' }), {
    version: '052.001.08',
    root: 'BkToCstmrAcctRpt',
    report: 'Rpt',
  })
  expect(warnings).toEqual([
    "1 line of these days is in other files, but not in the bank's statement: 1,234.00 in, 0.00 out",
  ])
})

test('an MT940 of the same day brings nothing that a camt.053 has', async () => {
  const { statement, mt940, states } = await addAccount()
  await statement('105.00', entry('5.00', { text: 'ORD-7 Priya Rao', reference: 'R-1', payer: priya }))
  await mt940(':61:261103C5,00NTRFNONREF//MT-9', ':86:ORD-7 Priya Rao', ':62F:C261103EUR105,00')
  expect(await states()).toEqual(['5.00 info', '5.00 open'])
})

test('undoing the statement makes what was announced work again', async () => {
  const { report, statement, states } = await addAccount()
  await report(entry('310.00', { text: 'ORD-30001' }))
  const { import: taken } = await statement('410.00', entry('310.00', { text: 'ORD-30001', reference: 'R-1' }))
  const undone = await bank.call('POST', `/api/bank/imports/${taken.id}/undo`, { reason: 'Of another day' })
  expect(undone.statusCode).toBe(200)
  expect(await states()).toEqual(['310.00 open'])
})

test('what a third file has stays counted once when the second is undone', async () => {
  const { report, statement, mt940, states, bookedCredits } = await addAccount()
  await report(entry('5.00', { text: 'ORD-7 Priya Rao' }))
  const { import: taken } = await statement('105.00', entry('5.00', { text: 'ORD-7 Priya Rao', reference: 'R-1' }))
  await mt940(':61:261103C5,00NTRFNONREF//MT-9', ':86:ORD-7 Priya Rao', ':62F:C261103EUR105,00')
  expect(await states()).toEqual(['5.00 info', '5.00 info', '5.00 open'])
  const undone = await bank.call('POST', `/api/bank/imports/${taken.id}/undo`, { reason: 'Of another day' })
  expect(undone.statusCode).toBe(200)
  expect(await states()).toEqual(['5.00 info', '5.00 open'])
  expect(await bookedCredits()).toBe('5.00')
})
