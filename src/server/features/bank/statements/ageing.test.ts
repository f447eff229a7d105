import { expect, test } from 'vitest'
import { lineAges } from '#contract/bank.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const bank = createBankCaller(server)
const allocations = createAllocationCaller(server)

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
let accounts = 0

/** Another account with lines that were booked so many days ago; a negative amount went out. */
async function importAged(lines: readonly (readonly [daysAgo: number, amount: string])[], currency = 'EUR') {
  const account = `00${(accounts += 1)}4711`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account, currency })
  const entries = lines.map(([daysAgo, amount]) =>
    camtEntry(amount.replace('-', ''), amount.startsWith('-') ? 'DBIT' : 'CRDT').replace('2026-11-03', dayAgo(daysAgo)),
  )
  const file = camtFile(entries.join(''), { iban: 'X' }).replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`)
  await bank.importFile(file.replaceAll('EUR', currency))
  return id
}
const readAccount = async (id: string) => (await bank.accounts()).find((account) => account.id === id)!
const describeAges = async (id: string) =>
  (await readAccount(id)).ageing.map(({ age, count, credits, debits }) => `${age}: ${count}, ${credits}, ${debits}`)
async function listAge(query: Record<string, string>) {
  const reply = await bank.call('GET', `/api/bank/lines?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ total: number; lines: Awaited<ReturnType<typeof bank.lines>> }>()
}

test('an account without lines is open in no age, and its money became nothing (product 6.11)', async () => {
  const id = (await bank.addAccount({ name: 'New', account: '0004711' })).id
  expect(await describeAges(id)).toEqual(lineAges.map((age) => `${age}: 0, 0.00, 0.00`))
  expect((await readAccount(id)).purposes).toEqual([])
})

test('open money is summed by the age of its day of booking (product 6.11)', async () => {
  const id = await importAged([
    [0, '0.10'],
    [2, '0.20'],
    [3, '1000.05'],
    [7, '-30.00'],
    [8, '4.00'],
    [30, '5.00'],
    [31, '6.00'],
    [400, '-7.00'],
  ])
  expect(await describeAges(id)).toEqual([
    '0-2: 2, 0.30, 0.00',
    '3-7: 2, 1000.05, 30.00',
    '8-30: 2, 9.00, 0.00',
    'older: 2, 6.00, 7.00',
  ])
})

test('each age lists just its lines, with what is open of them (product 6.11)', async () => {
  const id = await importAged([
    [1, '10.00'],
    [4, '20.00'],
    [5, '-2.00'],
    [9, '30.00'],
    [90, '40.00'],
  ])
  const [line] = await bank.lines({ accountId: id, search: '20.00' })
  await allocations.apply(line!.id, [{ purpose: 'ignored', amount: '0.40', code: 'fee' }])
  const [done] = await bank.lines({ accountId: id, search: '10.00' })
  await allocations.apply(done!.id, [{ purpose: 'ignored', amount: '10.00', code: 'own_transfer' }])
  const { ageing, credits } = await readAccount(id)
  expect(ageing.map(({ count }) => count)).toEqual([0, 2, 1, 1])
  for (const { age, count, ...sums } of ageing) {
    const { total, lines } = await listAge({ accountId: id, work: 'todo', age })
    const open = (direction: string) =>
      lines
        .filter((each) => each.direction === direction)
        .reduce((sum, { amount, allocated }) => sum + toUnits(amount) - toUnits(allocated), 0n)
    expect({
      age,
      total,
      count: lines.length,
      credits: fromUnits(open('credit')),
      debits: fromUnits(open('debit')),
    }).toEqual({ age, total: count, count, ...sums })
  }
  expect(fromUnits(ageing.reduce((sum, group) => sum + toUnits(group.credits), 0n))).toBe(credits.open)
})

test('what the bank has only announced has no age (product 6.11)', async () => {
  const id = await importAged([[12, '1.00']])
  await server.sql(`UPDATE bank_lines SET booking = 'pending' WHERE account_id = $1`, [id])
  expect(await describeAges(id)).toContain('8-30: 0, 0.00, 0.00')
  expect((await listAge({ accountId: id, age: '8-30' })).total).toBe(0)
})

test('lines are listed by the currency of their account, with their number (product 6.11)', async () => {
  const ids = [
    await importAged([[4, '1.00']], 'SEK'),
    await importAged(
      [
        [5, '2.00'],
        [50, '3.00'],
      ],
      'SEK',
    ),
  ]
  const { total, lines } = await listAge({ currency: 'SEK' })
  expect([total, new Set(lines.map(({ accountId }) => accountId))]).toEqual([3, new Set(ids)])
  const old = await listAge({ currency: 'SEK', work: 'todo', age: '3-7' })
  expect([old.total, old.lines.map(({ amount }) => amount)]).toEqual([2, ['2.00', '1.00']])
  expect((await listAge({ currency: 'NOK' })).total).toBe(0)
})

test.each([
  [{ age: '9' }, 'age'],
  [{ currency: 'eur' }, 'currency'],
])('the filter %o is refused by name', async (query, field) => {
  const reply = await bank.call('GET', `/api/bank/lines?${new URLSearchParams(query)}`)
  expect([reply.statusCode, reply.json().details[0].field]).toEqual([400, field])
})

test('the outcome of the money is counted by purpose and code, in and out (product 6.11)', async () => {
  const id = await importAged([
    [1, '150.00'],
    [1, '20.00'],
    [1, '-3.00'],
    [1, '-4.00'],
  ])
  const order = await makeOrder(server, (await makeMember(server)).id, { investmentAmount: '100.00' })
  const find = async (amount: string) => (await bank.lines({ accountId: id, search: amount }))[0]!.id
  const aside = (amount: string, code: string) => [{ purpose: 'ignored', amount, code }]
  await allocations.apply(
    await find('150.00'),
    [payOrder(order, '100.00'), { purpose: 'refund', amount: '50.00', cause: 'overpaid' }],
    { reason: 'Confirmed' },
  )
  await allocations.apply(await find('20.00'), aside('20.00', 'own_transfer'))
  await allocations.apply(await find('3.00'), aside('3.00', 'fee'))
  const last = await allocations.apply(await find('4.00'), aside('4.00', 'fee'))
  const read = async () =>
    (await readAccount(id)).purposes.map(
      ({ direction, purpose, code, count, amount, due }) =>
        `${direction} ${purpose} ${code} ${count} ${amount}${due === null ? '' : `, ${due} due`}`,
    )
  const others = [
    'credit ignored own_transfer 1 20.00',
    'credit order null 1 100.00',
    'credit refund null 1 50.00, 50.00 due',
  ]
  expect(await read()).toEqual([...others, 'debit ignored fee 2 7.00'])
  await allocations.undo(last.allocations[0]!.id)
  expect(await read()).toEqual([...others, 'debit ignored fee 1 3.00'])
})
