import { expect, test } from 'vitest'
import type { Notice } from '#contract/schemas/notices.ts'
import { camtBalance, camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { type StatementShape, writeStatement } from '#test/support/numbered-statements.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const member = await makeMember(server)

const lists = {
  overdue_lines: '/api/bank/lines?attention=overdue',
  ended_orders_paid: '/api/bank/lines?attention=ended_order',
  refunds_due: '/api/bank/lines?attention=refund_due',
  statement_differences: '/api/bank/statements?attention=difference',
  statement_gaps: '/api/bank/statements?attention=gap',
}
type BankNotice = keyof typeof lists

/** The count of a notice, 0 where there is none. Its list has to show as many. */
async function countOf(kind: BankNotice): Promise<number> {
  const { notices } = (await bank.call('GET', '/api/notices')).json<{ notices: Notice[] }>()
  const count = notices.find((notice) => notice.kind === kind)?.count ?? 0
  const reply = await bank.call('GET', lists[kind])
  expect(reply.statusCode, reply.body).toBe(200)
  const { total, lines, statements } = reply.json()
  expect([total, (lines ?? statements).length]).toEqual([count, count])
  return count
}

let accounts = 0
/** Another account, so that a test's statements follow no other test's. */
async function addAccount() {
  const account = `00${(accounts += 1)}4711`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account })
  return { id, account }
}

async function importStatements(...shapes: StatementShape[]) {
  const { account } = await addAccount()
  for (const shape of shapes) await bank.importFile(writeStatement(account, shape))
  return account
}

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Allocates an amount of a line. */
const addAllocation = (line: string, amount: string, more: { order?: string; other?: string }) =>
  server.sql<{ id: string }>(
    `INSERT INTO bank_allocations (line_id, purpose, order_id, other_line_id, amount, cause, rule, evidence, made_by)
     VALUES ($1, $2, $3, $4, $5, $6, 'hand', '{}', 'ada') RETURNING id::text`,
    [
      line,
      more.order ? 'order' : 'refund',
      more.order,
      more.other,
      amount,
      more.order || more.other ? null : 'overpaid',
    ],
  )
const undoAllocations = () =>
  server.sql(
    `UPDATE bank_allocations SET undone_at = now(), undone_by = 'ada', undo_reason = 'A slip' WHERE undone_at IS NULL`,
  )

const booked = (amount: string, sign: string, day: string) =>
  camtEntry(
    amount,
    sign,
    `<NtryDtls><TxDtls><Refs><EndToEndId>${amount}</EndToEndId></Refs></TxDtls></NtryDtls>`,
  ).replace('2026-11-03', day)

async function importLines(...entries: string[]) {
  const { id, account } = await addAccount()
  const file = camtFile(entries.join(''), { iban: 'X' })
  await bank.importFile(file.replace('<IBAN>X</IBAN>', `<Othr><Id>${account}</Id></Othr>`))
  const lines = await bank.lines({ accountId: id })
  return lines.toSorted((a, b) => Number(a.id) - Number(b.id))
}

test('lines that have been work for more than two days are one notice (product 3.6)', async () => {
  expect(await countOf('overdue_lines')).toBe(0)
  const lines = await importLines(
    booked('1.00', 'CRDT', dayAgo(4)),
    booked('2.00', 'DBIT', dayAgo(3)),
    booked('3.00', 'CRDT', dayAgo(2)),
    camtEntry('4.00', 'CRDT', '', '<Sts><Cd>PDNG</Cd></Sts>').replace('2026-11-03', dayAgo(9)),
  )
  expect(await countOf('overdue_lines')).toBe(2)
  const oldest = lines.find(({ amount }) => amount === '1.00')!
  await addAllocation(oldest.id, '0.40', {})
  expect(await countOf('overdue_lines')).toBe(2)
  await addAllocation(oldest.id, '0.60', {})
  expect(await countOf('overdue_lines')).toBe(1)
  await undoAllocations()
})

test('money on orders that have ended is one notice (product 3.6)', async () => {
  const [line] = await importLines(booked('50.00', 'CRDT', dayAgo(0)))
  const order = await makeOrder(server, member.id, { investmentAmount: '80.00' })
  await addAllocation(line!.id, '30.00', { order: order.id })
  expect(await countOf('ended_orders_paid')).toBe(0)
  await server.sql(`UPDATE orders SET status = 'expired' WHERE id = $1`, [order.id])
  expect(await countOf('ended_orders_paid')).toBe(1)
  await undoAllocations()
  expect(await countOf('ended_orders_paid')).toBe(0)
})

test('money to be paid back is one notice until it has gone out (product 3.6)', async () => {
  const [credit, debit] = await importLines(booked('20.00', 'CRDT', dayAgo(0)), booked('12.00', 'DBIT', dayAgo(0)))
  await addAllocation(credit!.id, '12.00', {})
  expect(await countOf('refunds_due')).toBe(1)
  await addAllocation(credit!.id, '8.00', {})
  expect(await countOf('refunds_due')).toBe(1)
  await addAllocation(debit!.id, '12.00', { other: credit!.id })
  expect(await countOf('refunds_due')).toBe(1)
  const [rest] = await importLines(booked('8.00', 'DBIT', dayAgo(0)))
  await addAllocation(rest!.id, '8.00', { other: credit!.id })
  expect(await countOf('refunds_due')).toBe(0)
  await undoAllocations()
  expect(await countOf('refunds_due')).toBe(0)
})

test('statements that do not add up are one notice (product 3.6)', async () => {
  const { account } = await addAccount()
  await bank.importFile(writeStatement(account, { number: '1', from: '10.00', to: '15.00' }))
  expect(await countOf('statement_differences')).toBe(0)
  const wrong = writeStatement(account, { number: '2', from: '15.00', to: '19.00' }).replace('19.00', '19.50')
  await bank.importFile(wrong)
  expect(await countOf('statement_differences')).toBe(1)
})

test('a statement whose predecessor is missing is one notice until it comes (product 3.6)', async () => {
  const first = { number: '7', from: '0.00', to: '5.00', day: '2026-11-03' }
  const missing = { number: '8', from: '5.00', to: '9.00', day: '2026-11-04' }
  const last = { number: '9', from: '9.00', to: '11.00', day: '2026-11-05' }
  const account = await importStatements(first, last)
  expect(await countOf('statement_gaps')).toBe(1)
  expect((await bank.call('GET', lists.statement_gaps)).json().statements).toMatchObject([{ number: '9' }])
  await bank.importFile(writeStatement(account, missing))
  expect(await countOf('statement_gaps')).toBe(0)
})

const one = { from: '0.00', to: '5.00', day: '2025-12-30' }
const two = { from: '5.00', to: '9.00', day: '2026-01-02' }
const unlinked = { from: '6.00', to: '9.00', day: '2026-01-02' }
const gaps: [what: string, count: number, ...StatementShape[]][] = [
  ['the first statement of an account', 0, { number: '212', ...two }],
  ['numbers that begin again with the year', 0, { number: '250', ...one }, { number: '1', ...two }],
  ['a lost balance where numbers begin again', 1, { number: '250', ...one }, { number: '1', ...unlinked }],
  ['the number before, of another balance', 0, { number: '250', ...one }, { number: '251', ...unlinked }],
  [
    'the number before, of the year before',
    1,
    { ...one, number: '2', day: '2025-01-05' },
    { number: '3', ...unlinked },
  ],
  ['numbers that leave out some, balances that do not', 0, { number: '3', ...one }, { number: '9', ...two }],
  ['statements that all have one number', 0, { number: '1', ...one }, { number: '1', ...two }],
  ['statements without numbers', 1, one, unlinked],
  ['numbers alone that leave out one', 1, { number: '4' }, { number: '6', day: '2026-11-05' }],
  ['numbers alone that follow each other', 0, { number: '4' }, { number: '5', day: '2026-11-05' }],
  ['numbers alone that begin again', 0, { number: '250' }, { number: '2', day: '2026-11-05' }],
  ['notifications, which have no order', 0, { number: '1', kind: 'camt.054' }, { number: '8', kind: 'camt.054' }],
]
test.each(gaps)('%s: gaps %i (product 3.6)', async (_what, count, ...shapes) => {
  const before = await countOf('statement_gaps')
  await importStatements(...shapes)
  expect((await countOf('statement_gaps')) - before).toBe(count)
})

test('the statement that begins first is not a gap, even where another ends before it (product 3.6)', async () => {
  const { account } = await addAccount()
  const before = await countOf('statement_gaps')
  const long = writeStatement(account, { number: '1', from: '10.00', to: '30.00', day: '2026-10-01' })
  await bank.importFile(
    long.replace(camtBalance('CLBD', '30.00', '2026-10-01'), camtBalance('CLBD', '30.00', '2026-11-30')),
  )
  const week = { from: '30.00', to: '40.00', day: '2026-11-30' }
  await bank.importFile(writeStatement(account, { number: '8', ...week }))
  // The same days once more, of which the first file had a part.
  const more = { number: '1', from: '10.00', to: '50.00', day: '2026-10-01' }
  const whole = writeStatement(account, more).replace(
    camtBalance('CLBD', '50.00', '2026-10-01'),
    camtBalance('CLBD', '50.00', '2026-12-05'),
  )
  await bank.importFile(whole.replaceAll('<LglSeqNb>1<', '<LglSeqNb>20<'))
  await bank.importFile(writeStatement(account, { number: '5', from: '17.00', to: '18.00', day: '2026-10-20' }))
  expect((await countOf('statement_gaps')) - before).toBe(1)
  const listed = (await bank.call('GET', lists.statement_gaps)).json().statements
  expect(listed[0]).toMatchObject({ number: '5', isGap: true, acceptedGap: null })
})

test('the pages of one MT940 statement are no gap (product 3.6)', async () => {
  const { account } = await addAccount()
  const before = await countOf('statement_gaps')
  const page = (number: string, day: string, from: string, to: string) =>
    [
      `:20:X`,
      `:25:${account}`,
      `:28C:${number}`,
      `:60F:C${day}EUR${from}`,
      `:61:${day}C1,00NTRFNONREF`,
      `:86:${number}`,
      `:62F:C${day}EUR${to}`,
      '-',
    ].join('\r\n')
  await bank.importFile(page('00212/001', '261102', '1,00', '2,00'))
  await bank.importFile(page('00213/001', '261103', '2,00', '3,00'))
  await bank.importFile(page('00213/002', '261103', '3,00', '4,00'))
  expect(await countOf('statement_gaps')).toBe(before)
  await bank.importFile(page('00215/001', '261105', '7,00', '8,00'))
  expect(await countOf('statement_gaps')).toBe(before + 1)
})

test('an unknown attention is refused with its field', async () => {
  for (const [list, known] of [
    ['lines', 'overdue, ended_order, taken_back, refund_due'],
    ['statements', 'difference, gap'],
  ]) {
    const reply = await bank.call('GET', `/api/bank/${list}?attention=nothing`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'invalid', message: expect.stringContaining('attention') })
    expect(reply.json().message).toContain(known!.split(', ')[0])
  }
})

test('lines of a notice are searched and narrowed like others', async () => {
  const [line] = await importLines(booked('777.00', 'CRDT', dayAgo(30)))
  const asked = (query: string) => bank.call('GET', `/api/bank/lines?attention=overdue&${query}`)
  expect((await asked(`accountId=${line!.accountId}`)).json()).toMatchObject({ total: 1, lines: [{ id: line!.id }] })
  expect((await asked('search=777.00')).json()).toMatchObject({ total: 1, lines: [{ id: line!.id }] })
  expect((await asked('direction=debit&search=777.00')).json()).toMatchObject({ total: 0 })
})
