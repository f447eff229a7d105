import { expect, test } from 'vitest'
import { camtEntry, camtFile, mt940File, specimenIban } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

const head = 'Date;Amount;Text\n'
const csvProfile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns: { bookedOn: 0, amount: 1, remittance: 2 },
  decimalSign: '.',
  dateOrder: 'dmy',
}

let accounts = 0
/** An account with a file of which these rows were imported. */
async function importRows(...rows: string[]) {
  const { id: accountId } = await bank.addAccount({ account: `00${(accounts += 1)}4711`, csvProfile })
  const reply = await bank.importFile(head + rows.join('\n'), { accountId, fileName: `${accounts}.csv` })
  return { accountId, id: reply.import.id ?? '' }
}

const countNotices = async () => {
  const { notices } = (await bank.call('GET', '/api/notices')).json<{ notices: { kind: string; count: number }[] }>()
  return notices.find(({ kind }) => kind === 'unreadable_imports')?.count ?? 0
}
const unreadOf = async (accountId: string) => (await bank.accounts()).find(({ id }) => id === accountId)!.unreadable
const listed = async () =>
  (await bank.call('GET', '/api/bank/imports?attention=unreadable')).json<{ imports: { id: string }[] }>().imports
const accept = (id: string, reason: unknown = 'Row 3 is a total') =>
  bank.call('POST', `/api/bank/imports/${id}/accept-unreadable`, { reason })

test('parts that were not read stay on the account and at the bell (product 3.6, 6.11)', async () => {
  const before = await countNotices()
  const { accountId, id } = await importRows('13/11/2026;5.00;A', '13/11/2026;1,25,00;B', '13/11/2026;x;C')
  await importRows('13/11/2026;6.00;A')
  expect(await countNotices()).toBe(before + 1)
  expect(await unreadOf(accountId)).toEqual({ count: 2, files: 1, fileName: '1.csv' })
  expect((await listed())[0]).toMatchObject({
    id,
    unreadableCount: 2,
    unreadable: ['row 3: "1,25,00" is not an amount', 'row 4: "x" is not an amount'],
    acceptedUnreadable: null,
  })
})

test('parts that were not read are accepted with who, when and why (product 6.11)', async () => {
  const { accountId, id } = await importRows('13/11/2026;7.00;A', 'Total;x;')
  const before = await countNotices()
  const accepted = await accept(id)
  expect([accepted.statusCode, accepted.json()]).toMatchObject([
    200,
    { message: 'Unread rows accepted', import: { acceptedUnreadable: { by: 'ada', reason: 'Row 3 is a total' } } },
  ])
  expect([await countNotices(), await unreadOf(accountId)]).toEqual([before - 1, null])
  const [row] = await server.sql(
    `SELECT actor_name, target_id, details FROM audit_log WHERE action = 'accept_unreadable'`,
  )
  expect(row).toMatchObject({ actor_name: 'ada', target_id: id, details: { unreadableCount: 1 } })
  expect((await accept(id)).json()).toMatchObject({
    code: 'no_unreadable',
    message: expect.stringMatching(/^What could not be read was accepted by ada on /),
  })
})

test('a file that was read whole has nothing to accept', async () => {
  const { accountId, id } = await importRows('13/11/2026;8.00;A')
  expect(await unreadOf(accountId)).toBeNull()
  expect((await accept(id)).json()).toMatchObject({
    code: 'no_unreadable',
    message: 'Everything in this file could be read',
  })
  expect((await accept('999999')).statusCode).toBe(404)
  expect((await accept(id, ' ')).statusCode).toBe(400)
})

test('an undone import has no parts to look at', async () => {
  const { accountId, id } = await importRows('13/11/2026;9.00;A', '13/11/2026;x;B')
  await bank.call('POST', `/api/bank/imports/${id}/undo`, { reason: 'Wrong file' })
  expect(await unreadOf(accountId)).toBeNull()
  expect((await accept(id)).json()).toMatchObject({ code: 'import_undone' })
})

test.each([
  ['a camt file', camtFile(camtEntry('5.00', 'CRDT') + camtEntry('1,00', 'CRDT')), /"1,00" is not an amount/],
  ['an MT940 file', mt940File(':61:261103C6,NTRFX', ':61:269903C6,NTRFX'), /is not a movement/],
])('what was not read of %s stays until it is accepted (product 6.11)', async (what, file, words) => {
  const known = (await bank.accounts()).find(({ account }) => account === specimenIban)
  const { id: accountId } = known ?? (await bank.addAccount())
  const { import: taken, unreadable } = await bank.importFile(file, { fileName: `${what}.txt` })
  expect(taken).toMatchObject({ linesNew: 1, unreadableCount: 1, acceptedUnreadable: null })
  expect(unreadable).toEqual([expect.stringMatching(words)])
  expect(await unreadOf(accountId)).toEqual({ count: 1, files: 1, fileName: `${what}.txt` })
  expect((await accept(taken.id!, 'Booked by hand at the bank')).json()).toMatchObject({
    import: { acceptedUnreadable: { by: 'ada', reason: 'Booked by hand at the bank' } },
  })
  expect(await unreadOf(accountId)).toBeNull()
})
