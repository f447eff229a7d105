import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createHistoryHeaders, importUrl } from '#test/support/import.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply, undo } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const refusal = {
  code: 'bank_money_applied',
  message: '40.00 EUR of the bank are applied to this order: undo that first',
}

/** An order of 100.00 EUR that has 40.00 EUR of the bank. */
async function makePartPaid() {
  const order = await makeOrder(server, member.id, { investmentAmount: '100.00' })
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '40.00')])
  return { order, allocation: allocations[0]! }
}
const readOrder = async (id: string) =>
  (await server.sql('SELECT status, received, paid_via, version FROM orders WHERE id = $1', [id]))[0]!

test.each([
  ['marked paid by hand', { status: 'paid' }],
  ['cancelled', { status: 'cancelled', notes: 'Why' }],
])('an order with bank money cannot be %s (product 7.4)', async (_what, body) => {
  const { order, allocation } = await makePartPaid()
  const reply = await ada('PATCH', `/api/orders/${order.id}/status`, body)
  expect([reply.statusCode, reply.json()]).toMatchObject([409, refusal])
  expect(await readOrder(order.id)).toMatchObject({ status: 'waiting_payment', received: '40.00', version: 2 })
  await undo(allocation.id)
  expect((await ada('PATCH', `/api/orders/${order.id}/status`, body)).statusCode).toBe(200)
})

test('an order that a fee left short is paid by hand, and takes its line again (product 7.4)', async () => {
  const order = await makeOrder(server, member.id, { investmentAmount: '275.50' })
  const line = await makeLine({ amount: '270.50', remittance: [order.orderNumber] })
  const { allocations } = await apply(line.id, [payOrder(order, '270.50')])
  const byHand = { status: 'paid', notes: 'The bank of the payer kept 5.00 EUR' }
  expect((await ada('PATCH', `/api/orders/${order.id}/status`, byHand)).statusCode).toBe(409)
  await undo(allocations[0]!.id, 'To be marked paid by hand')
  expect((await ada('PATCH', `/api/orders/${order.id}/status`, byHand)).statusCode).toBe(200)
  const { candidates } = (await ada('GET', `/api/bank/lines/${line.id}`)).json<BankLineDetail>()
  expect(candidates[0]).toMatchObject({
    refusal: null,
    needsReason: null,
    isLikely: true,
    allocations: [{ orderId: order.id, amount: '270.50' }],
  })
  const attached = await apply(line.id, [payOrder(order, '270.50')])
  expect(attached.line.state).toBe('settled')
  expect(await readOrder(order.id)).toMatchObject({ status: 'paid', paid_via: 'hand', received: '270.50' })
})

test('marking an order paid by hand says so (product 7.4)', async () => {
  const { id } = await makeOrder(server, member.id)
  const { order } = (await ada('PATCH', `/api/orders/${id}/status`, { status: 'paid' })).json()
  expect(order).toMatchObject({ status: 'paid', paidVia: 'hand', received: '0.00' })
})

test('the platform changes no order with bank money, and repeats it freely (product 7.8)', async () => {
  const { order } = await makePartPaid()
  const body = buildOrderBody(member.id, { investmentAmount: '100.00', expiresAt: order.expiresAt })
  const url = `/orders/${order.orderNumber}`
  expect((await platform('PUT', url, body)).statusCode).toBe(200)
  for (const change of [{ investmentAmount: '40.00' }, { currency: 'CHF' }, { projectName: 'Wind' }]) {
    const reply = await platform('PUT', url, { ...body, ...change })
    expect([reply.statusCode, reply.json()]).toMatchObject([409, refusal])
  }
  const line = { type: 'order', orderNumber: order.orderNumber, ...body, projectName: 'Wind' }
  const imported = await server.as(null)('POST', importUrl, JSON.stringify(line), await createHistoryHeaders(server))
  expect(imported.body).toContain(refusal.code)
  expect(await readOrder(order.id)).toMatchObject({ received: '40.00', version: 2 })
})

test('the platform cannot write what the bank has paid (product 7.8)', async () => {
  const { order } = await makePartPaid()
  const body = buildOrderBody(member.id, { investmentAmount: '100.00', expiresAt: order.expiresAt })
  for (const more of [{ received: '100.00' }, { paidVia: 'bank' }])
    expect((await platform('PUT', `/orders/${order.orderNumber}`, { ...body, ...more })).statusCode).toBe(400)
  expect(await readOrder(order.id)).toMatchObject({ received: '40.00', paid_via: null })
})

test('an expired order that the bank has paid since is not contradicted by its import (product 7.8)', async () => {
  const given = {
    investmentAmount: '100.00',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-02-01T00:00:00.000Z',
  }
  const body = buildOrderBody(member.id, { ...given, status: 'expired' })
  const line = JSON.stringify({ type: 'order', orderNumber: 'ORD-late', ...body })
  const send = async () => (await server.as(null)('POST', importUrl, line, await createHistoryHeaders(server))).json()
  await send()
  const [order] = await server.sql<{ id: string }>(`SELECT id::text FROM orders WHERE order_number = 'ORD-late'`)
  await apply((await makeLine({ bookedOn: '2026-01-31' })).id, [payOrder(order!, '100.00')])
  expect(await send()).toMatchObject({ unchanged: 1, refused: 0 })
  expect(await readOrder(order!.id)).toMatchObject({ status: 'paid', received: '100.00' })
})
