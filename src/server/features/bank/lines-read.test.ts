import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const { makeLine } = await createStoredLines(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const order = await makeOrder(server, member.id, { investmentAmount: '100.00' })
const paid = await makeLine()
await createAllocationCaller(server).apply(paid.id, [payOrder(order, '100.00')])
const open = await makeLine({ payerAccount: 'GB82WEST12345698765432' })

/** The kind, target and number of what an operator of its own leaves behind by a call. */
async function readTrace(username: string, path: string) {
  const reply = await server.as(username)('GET', path)
  expect(reply.statusCode, reply.body).toBe(200)
  await server.app.dataAccess.close()
  return server.sql(
    `SELECT kind, target, rows FROM data_access d JOIN admins a ON a.id = d.admin_id WHERE username = $1 ORDER BY d.id`,
    [username],
  )
}

test('a list of bank lines is a row of what was read, with its payers (product 6.9)', async () => {
  expect(await readTrace('lea', '/api/bank/lines')).toEqual([{ kind: 'bank_lines', target: null, rows: 2 }])
})

test('a bank line counts its payer and those whom its candidates name (product 6.9)', async () => {
  const other = await makeOrder(server, (await makeMember(server)).id, { investmentAmount: '100.00' })
  const { candidate } = (
    await server.as('evaluator')('POST', `/api/bank/lines/${open.id}/score`, { orderId: other.id })
  ).json()
  expect(candidate.orders).toMatchObject([{ id: other.id }])
  expect(await readTrace('evaluator', `/api/bank/lines/${open.id}`)).toEqual([
    { kind: 'bank_line', target: null, rows: 2 },
  ])
  const found = await readTrace('cleo', `/api/bank/lines/${open.id}/credits?search=lima`)
  expect(found).toEqual([{ kind: 'bank_line', target: null, rows: 1 }])
})

test('the payments of an order count as a view of its member (product 6.9)', async () => {
  expect(await readTrace('pia', `/api/orders/${order.id}/payments`)).toEqual([
    { kind: 'payments', target: member.id, rows: 1 },
  ])
})

test('the payers of a member count as a view of the member (product 6.9)', async () => {
  expect(await readTrace('kim', `/api/users/${member.id}/payers`)).toEqual([
    { kind: 'payers', target: member.id, rows: 1 },
  ])
})

test('the payers of lines that may pay an order count as they do in a list (product 6.9)', async () => {
  const waiting = await makeOrder(server, member.id)
  await makeLine({ proposedOrders: [waiting.orderNumber], payerName: 'TOM LIMA' })
  expect(await readTrace('tom', `/api/orders/${waiting.id}/payments`)).toEqual([
    { kind: 'payments', target: null, rows: 1 },
  ])
})

test('payments of an order without any leave no row', async () => {
  const unpaid = await makeOrder(server, member.id)
  expect(await readTrace('una', `/api/orders/${unpaid.id}/payments`)).toEqual([])
})
