import { beforeEach, expect, test } from 'vitest'
import type { BankLine } from '#contract/schemas/bank.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const bank = createBankCaller(server)
await bank.addAccount()
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
let made = 10_240
const makeNamedOrder = (more: Parameters<typeof makeOrder>[2] = {}) =>
  makeOrder(server, ana.id, { orderNumber: `ORD-0${(made += 11)}`, investmentAmount: '100.00', ...more })
const propose = () => runJob(server.services, 'propose-matches')
async function readLine(id: string): Promise<BankLine> {
  const reply = await ada('GET', `/api/bank/lines/${id}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().line
}
/** What is stored for a line after a pass. */
async function proposed(id: string) {
  await propose()
  const { suggestion, outcome, flags, proposedOrders } = await readLine(id)
  return { suggestion, outcome, flags, proposedOrders }
}
async function importOne(payment: Parameters<typeof importPayments>[1]): Promise<string> {
  return (await importPayments(server, payment))[0]!
}
const unmatched = { suggestion: 'unmatched', outcome: 'unmatched', flags: [], proposedOrders: [] }

beforeEach(propose)

test('a new line gets what is proposed for it (product 7.12)', async () => {
  const order = await makeNamedOrder()
  const ids = await importPayments(
    server,
    { text: order.orderNumber, payer: 'ANA LIMA' },
    { text: order.orderNumber, payer: 'RUI LIMA' },
    { text: 'nothing known', amount: '7.77' },
    { text: 'rent', direction: 'DBIT', amount: '5.55' },
  )
  const numbers = [order.orderNumber]
  expect(await proposed(ids[0]!)).toEqual({ suggestion: 'exact', outcome: 'exact', flags: [], proposedOrders: numbers })
  const third = { suggestion: 'check', outcome: 'exact', flags: ['third_party'], proposedOrders: numbers }
  expect(await proposed(ids[1]!)).toEqual(third)
  expect(await proposed(ids[2]!)).toEqual(unmatched)
  expect(await proposed(ids[3]!)).toEqual({ ...unmatched, outcome: 'outgoing' })
})

test('an order’s number finds the lines that may pay it, as matching reads them (product 5.6)', async () => {
  const order = await makeNamedOrder()
  const id = await importOne({ text: `ZAHLUNG ${order.orderNumber.replace('-', ' ')}`, payer: 'ANA LIMA' })
  const read = async (path: string) => (await ada('GET', path)).json()
  const waiting = async () => {
    const [listed] = (await read(`/api/orders?search=${order.orderNumber}`)).orders
    return [listed.waitingLines, (await read(`/api/orders/${order.id}/payments`)).waiting]
  }
  expect(await waiting()).toEqual([0, []])
  await propose()
  expect(await waiting()).toMatchObject([1, [{ id, open: '100.00', currency: 'EUR', payer: 'ANA LIMA' }]])
  const other = await makeNamedOrder()
  const paid = { action: 'mark_orders_paid', ids: [order.id, other.id] }
  expect((await ada('POST', '/api/bulk', paid)).json(), 'named before it is marked paid').toMatchObject({ doubtful: 1 })
  const searched = `search=${order.orderNumber}`
  expect((await read(`/api/bank/lines?${searched}`)).lines).toMatchObject([{ id }])
  expect((await read(`/api/search?q=${order.orderNumber}`)).bankLines).toMatchObject([{ id }])
  const allocations = [{ purpose: 'order', orderId: order.id, amount: '100.00' }]
  const applied = await ada('POST', `/api/bank/lines/${id}/allocations`, { allocations })
  expect(applied.statusCode, applied.body).toBe(200)
  expect(await waiting()).toEqual([0, []])
})

test('of a text of 90,000 letters and digits the beginning is read', async () => {
  const order = await makeNamedOrder()
  const text = `${order.orderNumber} ${'A1'.repeat(45_000)}`
  const id = await importOne({ text, payer: 'ANA LIMA' })
  expect(await proposed(id)).toMatchObject({ outcome: 'exact', proposedOrders: [order.orderNumber] })
})

test('a proposal leaves the version of a line as it is', async () => {
  const id = await importOne({ text: 'still nothing', amount: '7.78' })
  const { version } = await readLine(id)
  expect(await proposed(id)).toEqual(unmatched)
  expect((await readLine(id)).version).toBe(version)
})

test('a line is proposed again when its order was paid by hand', async () => {
  const order = await makeNamedOrder()
  const id = await importOne({ text: order.orderNumber, payer: 'ANA LIMA' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'exact' })
  const reply = await ada('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await proposed(id)).toMatchObject({ suggestion: 'check', proposedOrders: [order.orderNumber] })
})

test('a line is proposed again when its order expired', async () => {
  const order = await makeNamedOrder()
  const id = await importOne({ text: order.orderNumber, payer: 'ANA LIMA' })
  await server.sql("UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = $1", [order.id])
  await runJob(server.services, 'expire-orders')
  expect(await proposed(id)).toMatchObject({ suggestion: 'check', outcome: 'late' })
})

test('a line is proposed again when the member got another name', async () => {
  const member = await makeMember(server, { legalFirstName: 'Berta', legalLastName: 'Kunz' })
  const order = await makeOrder(server, member.id, { orderNumber: 'ORD-077001', investmentAmount: '100.00' })
  const id = await importOne({ text: order.orderNumber, payer: 'BERTA NEUMANN' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'check', flags: ['third_party'] })
  await server.sql("UPDATE members SET legal_last_name = 'Neumann', version = version + 1 WHERE id = $1", [member.id])
  expect(await proposed(id)).toMatchObject({ suggestion: 'exact', flags: [] })
})

test('a line is proposed again when an order came that it names', async () => {
  const member = await makeMember(server, { legalFirstName: 'Eva', legalLastName: 'Stein' })
  const id = await importOne({ text: 'ORD-088011', payer: 'EVA STEIN', amount: '88.11' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'unmatched' })
  await makeOrder(server, member.id, { orderNumber: 'ORD-088011', investmentAmount: '88.11' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'exact', proposedOrders: ['ORD-088011'] })
})

test('a line is proposed again when an order of the payer by name came', async () => {
  const id = await importOne({ text: 'invest', payer: 'CARLA ZIMMER', amount: '88.12' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'unmatched' })
  const member = await makeMember(server, { legalFirstName: 'Carla', legalLastName: 'Zimmer' })
  const order = await makeOrder(server, member.id, { investmentAmount: '88.12' })
  expect(await proposed(id)).toMatchObject({
    suggestion: 'check',
    outcome: 'exact',
    proposedOrders: [order.orderNumber],
  })
})

test('a line is proposed again when another line paid its order', async () => {
  const order = await makeNamedOrder()
  const [first, second] = (await importPayments(
    server,
    { text: order.orderNumber, payer: 'ANA LIMA' },
    { text: order.orderNumber, payer: 'ANA LIMA' },
  )) as [string, string]
  expect(await proposed(second)).toMatchObject({ suggestion: 'exact' })
  const { version } = await readLine(first)
  const allocations = [{ purpose: 'order', orderId: order.id, amount: '100.00' }]
  const reply = await ada(
    'POST',
    `/api/bank/lines/${first}/allocations`,
    { allocations },
    { 'if-match': `"${version}"` },
  )
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await proposed(second)).toMatchObject({ suggestion: 'check', outcome: 'duplicate' })
  expect(await readLine(first)).toMatchObject({ state: 'settled', suggestion: null })
  await ada('POST', `/api/bank/allocations/${reply.json().allocations[0].id}/undo`, { reason: 'wrong' })
  expect(await proposed(second)).toMatchObject({ suggestion: 'exact' })
  expect(await readLine(first)).toMatchObject({ state: 'open', suggestion: 'check' })
})

test('an account that was confirmed proves who paid a waiting line', async () => {
  const order = await makeNamedOrder()
  const iban = 'NL91ABNA0417164300'
  const [known, waiting] = (await importPayments(
    server,
    { text: order.orderNumber, payer: 'ANA LIMA', iban },
    { text: 'invest', payer: 'A. L.', iban, amount: '45.67' },
  )) as [string, string]
  await makeNamedOrder({ investmentAmount: '45.67' })
  expect(await proposed(waiting)).toEqual(unmatched)
  const allocations = [{ purpose: 'order', orderId: order.id, amount: '100.00' }]
  expect((await ada('POST', `/api/bank/lines/${known}/allocations`, { allocations })).statusCode).toBe(200)
  expect(await proposed(waiting)).toMatchObject({ suggestion: 'check', outcome: 'exact', flags: [] })
})

test('a line is proposed again when the policy was changed', async () => {
  const order = await makeNamedOrder()
  const id = await importOne({ text: order.orderNumber, payer: 'ANA LIMA' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'exact' })
  const save = async (change: object) => {
    const {
      version: _version,
      changedBy: _by,
      changedAt: _at,
      confirmed: _confirmed,
      ...rules
    } = (await ada('GET', '/api/bank/policy')).json().policy
    expect((await ada('PUT', '/api/bank/policy', { ...rules, ...change })).statusCode).toBe(200)
  }
  await save({ maxAutoAmount: '50.00' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'check' })
  await save({ maxAutoAmount: null })
  expect(await proposed(id)).toMatchObject({ suggestion: 'exact' })
})

test('two orders that fit equally leave none as the first', async () => {
  const member = await makeMember(server, { legalFirstName: 'Dora', legalLastName: 'Quist' })
  for (const orderNumber of ['ORD-099001', 'ORD-099002'])
    await makeOrder(server, member.id, { orderNumber, investmentAmount: '12.34' })
  const id = await importOne({ text: 'invest', payer: 'DORA QUIST', amount: '12.34' })
  expect(await proposed(id)).toMatchObject({ suggestion: 'check', proposedOrders: [] })
  expect((await ada('GET', `/api/bank/lines/${id}`)).json()).toMatchObject({ equallyGood: 2 })
})
