import { expect, test } from 'vitest'
import { permissions, type Permission } from '#contract/permissions.ts'
import type { Analytics } from '#contract/schemas/analytics.ts'
import { camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, payOrder } from '#test/support/stored-lines.ts'

const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)
const bank = createBankCaller(server)

async function readUnreconciled() {
  const reply = await server.as('ada')('GET', '/api/analytics')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Analytics>().unreconciled
}

test('without bank accounts nothing is unreconciled (product 5.2)', async () => {
  expect(await readUnreconciled()).toEqual([])
})

test('an account without lines has 0.00 unreconciled (product 5.2)', async () => {
  await bank.addAccount()
  expect(await readUnreconciled()).toEqual([{ currency: 'EUR', amount: '0.00', lines: 0 }])
})

test('booked money in is unreconciled, by currency over all accounts (product 5.2)', async () => {
  const pending = '<Sts><Cd>PDNG</Cd></Sts>'
  await bank.importFile(
    camtFile(
      [
        camtEntry('1500.10', 'CRDT'),
        camtEntry('20.05', 'CRDT'),
        camtEntry('9.99', 'DBIT'),
        camtEntry('7.00', 'CRDT', '', pending),
      ].join(''),
    ),
  )
  const second = await bank.addAccount({ name: 'Second', account: 'NL91ABNA0417164300' })
  await bank.importFile(camtFile(camtEntry('4.00', 'CRDT'), { iban: second.account }))
  await bank.addAccount({ name: 'Pounds', account: 'GB82WEST12345698765432', currency: 'GBP' })
  expect(await readUnreconciled()).toEqual([
    { currency: 'EUR', amount: '1524.15', lines: 3 },
    { currency: 'GBP', amount: '0.00', lines: 0 },
  ])
})

test('money with a purpose is no longer unreconciled, and is again once that is undone (product 5.2)', async () => {
  const [line] = await bank.lines({ search: '1500.10' })
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id, { investmentAmount: '1000.00' })
  const caller = createAllocationCaller(server)
  const { allocations } = await caller.apply(line!.id, [payOrder(order, '1000.00')], { reason: 'Confirmed' })
  expect(await readUnreconciled()).toMatchObject([{ amount: '524.15', lines: 3 }, { currency: 'GBP' }])
  const rest = [{ purpose: 'ignored' as const, amount: '500.10', code: 'fee' as const }]
  const settled = await caller.apply(line!.id, rest)
  expect(await readUnreconciled()).toMatchObject([{ amount: '24.05', lines: 2 }, { currency: 'GBP' }])
  for (const allocation of [...allocations, ...settled.allocations]) await caller.undo(allocation.id, 'Mistake')
  expect(await readUnreconciled()).toMatchObject([{ amount: '1524.15', lines: 3 }, { currency: 'GBP' }])
})

test('the report names what is unreconciled in each currency (product 5.1)', async () => {
  const report = await server.as('ada')('GET', '/api/analytics/report')
  expect(report.body).toContain('Figures,Unreconciled EUR,1524.15')
  expect(report.body).toContain('Figures,Unreconciled GBP,0.00')
})

test('an admin who may not view bank accounts is told of no bank money (product 2.6)', async () => {
  roles.super_admin = permissions.filter((each) => each !== 'bank.view')
  expect(await readUnreconciled()).toEqual([])
  roles.super_admin = permissions
})
