import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const { makeLine } = await createStoredLines(server)
const { apply, undo } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const order = await makeOrder(server, member.id, { investmentAmount: '100.00' })
const line = await makeLine()
const first = await apply(line.id, [payOrder(order, '100.00')])
await undo(first.allocations[0]!.id)
await apply(line.id, [payOrder(order, '100.00')])

test.each([
  ['a part that is deleted', 'DELETE FROM bank_allocations'],
  ['a part that is changed', 'UPDATE bank_allocations SET amount = amount + 1'],
  ['a part that is undone twice', `UPDATE bank_allocations SET undone_at = now() WHERE undone_at IS NOT NULL`],
  ['a line that gives more than it has', 'UPDATE bank_lines SET allocated = amount + 1'],
  ['an order that receives more than it asks for', 'UPDATE orders SET received = investment_amount + 1'],
  ['an order that the bank has paid and nothing covers', `UPDATE orders SET paid_via = 'bank', received = 0`],
])('the database refuses %s, no matter who writes (decision 053)', async (_what, statement) => {
  await expect(server.sql(statement)).rejects.toThrow(/check constraint|only ever added|added and undone once/)
})

test('a statement can only continue one that is stored', async () => {
  await expect(server.sql('UPDATE bank_statements SET continues_id = id + 1')).rejects.toThrow('foreign key constraint')
})
