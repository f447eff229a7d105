import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { id: member } = await makeMember(server)
const payable = { iban: 'PT50 0002 0123 1234 5678 9015 4', swift: 'MERIPTPL', investmentAmount: '1500' }
const read = async (orderNumber: string) => (await call('GET', `/orders/${orderNumber}`)).json()

/** Applies money of the bank to an order. */
async function receive(orderId: string, amount: string) {
  const line = await makeLine({ amount })
  const allocations = [{ purpose: 'order', orderId, amount }]
  const reply = await server.as('ada')('POST', `/api/bank/lines/${line.id}/allocations`, {
    allocations,
    reason: 'Her brother paid',
  })
  expect(reply.statusCode, reply.body).toBe(200)
}

test.each([
  ['check digits', { iban: 'DE88 3704 0044 0532 0130 00' }, 'iban: the check digits of this IBAN do not fit'],
  ['a length', { iban: 'DE00 0000' }, 'iban: an IBAN of DE has 22 characters, this one has 8'],
  [
    'places',
    { investmentAmount: '100.50', currency: 'JPY' },
    'investmentAmount: 100.50 has more places than JPY, which has 0',
  ],
])('wrong %s of an order are refused by the call, and taken by the import', async (what, wrong, message) => {
  const path = `/orders/WRONG-${what.replaceAll(' ', '-')}`
  const right = buildOrderBody(member, { investmentAmount: '100.00', currency: 'JPY' })
  const put = async (more: object) => {
    const { statusCode, json } = await call('PUT', path, { ...right, ...more })
    return [statusCode, json()]
  }
  expect(await put(wrong)).toMatchObject([400, { code: 'invalid', message }])
  expect(await put({})).toMatchObject([200, { outcome: 'created' }])
  expect(await put(wrong)).toMatchObject([400, { code: 'invalid', message }])
  const line = JSON.stringify({ type: 'order', orderNumber: path.slice('/orders/'.length), ...right, ...wrong })
  const imported = await call('POST', '/import', line, { 'content-type': 'application/x-ndjson' })
  expect(imported.json()).toMatchObject({ updated: 1, errors: [] })
  expect(await put(wrong), 'as it is stored').toMatchObject([200, { outcome: 'unchanged' }])
  expect(await put({ ...wrong, projectName: 'Wind' })).toMatchObject([200, { outcome: 'updated' }])
})

test('an order has as many places as its currency', async () => {
  const put = async (investmentAmount: string, currency: string) =>
    (await call('PUT', '/orders/THREE-1', buildOrderBody(member, { investmentAmount, currency }))).statusCode
  expect([await put('1.005', 'EUR'), await put('1.0005', 'KWD'), await put('1.005', 'KWD')]).toEqual([400, 400, 200])
  expect(await read('THREE-1')).toMatchObject({ investmentAmount: '1.005', received: '0.00' })
  const { states } = (await server.as('ada')('GET', '/api/analytics/orders')).json()
  expect(JSON.stringify(states)).toContain('{"currency":"KWD","amount":"1.005"}')
})

test('an order answers reference and payment code, alone and in the list (product 10.5)', async () => {
  const { orderNumber } = await makeOrder(server, member, { ...payable, orderNumber: 'ORD-01042' })
  const order = await read(orderNumber)
  expect(order).toMatchObject({ paymentReference: 'RF02ORD01042', received: '0.00' })
  expect(order.epcPayload).toBe(
    'BCD\n002\n1\nSCT\nMERIPTPL\nSolar Park Ltd\nPT50000201231234567890154\nEUR1500.00\n\nRF02ORD01042',
  )
  const listed = async () => (await call('GET', '/orders?limit=1000')).json().orders
  await expect.poll(listed).toContainEqual(order)
})

test('the payment code asks for the rest once part of the money has come (product 10.5)', async () => {
  const { id, orderNumber } = await makeOrder(server, member, payable)
  const { next } = (await call('GET', '/orders?limit=1000')).json()
  await receive(id, '499.50')
  const order = await read(orderNumber)
  expect(order).toMatchObject({ status: 'waiting_payment', received: '499.50' })
  expect(order.epcPayload).toContain('\nEUR1000.50\n')
  const changed = async () => (await call('GET', `/orders?after=${next}`)).json().orders
  await expect.poll(changed).toContainEqual(order)
})

test('an order that was marked paid by hand is listed again when its line is applied (product 10.5)', async () => {
  const paidByHand = { status: 'paid', paidVia: 'hand', paidAt: '2026-01-05T09:00:00.000Z' } as const
  const { id, orderNumber } = await makeOrder(server, member, { ...payable, ...paidByHand })
  const { next } = (await call('GET', '/orders?limit=1000')).json()
  await receive(id, '1500.00')
  const order = await read(orderNumber)
  expect(order).toMatchObject({ status: 'paid', received: '1500.00', epcPayload: null, version: 2 })
  const changed = async () => (await call('GET', `/orders?after=${next}`)).json().orders
  await expect.poll(changed).toContainEqual(order)
})

test('only an order that waits for EUR at a valid IBAN has a payment code (product 10.5)', async () => {
  const orders = await Promise.all([
    makeOrder(server, member, { ...payable, expiresAt: '2026-01-05T09:00:00.000Z' }),
    makeOrder(server, member, { ...payable, status: 'paid' }),
    makeOrder(server, member, { ...payable, currency: 'CHF' }),
    makeOrder(server, member, { ...payable, iban: '' }),
  ])
  const codes = await Promise.all(orders.map(async ({ orderNumber }) => (await read(orderNumber)).epcPayload))
  expect(codes).toEqual([null, null, null, null])
})

test('the platform sends no fields of the payment (product 10.5)', async () => {
  const body = { memberId: member, projectId: 'p-1', projectName: 'Solar Park', expiresAt: '2099-01-05T09:00:00.000Z' }
  const bankFields = { bankName: '', accountHolder: '', accountNumber: '', paymentInstructions: '', currency: 'EUR' }
  for (const [name, value] of Object.entries({
    received: '1500.00',
    paymentReference: 'RF39ORD1042',
    epcPayload: '',
  })) {
    const reply = await call('PUT', '/orders/SET-1', { ...body, ...bankFields, ...payable, [name]: value })
    expect([reply.statusCode, reply.json().message]).toEqual([400, `${name}: is not known here`])
  }
})

test('a repeated completion answers fields that its first answer did not have yet', async () => {
  const { orderNumber } = await makeOrder(server, member, { ...payable, status: 'paid' })
  const complete = () =>
    call('POST', `/orders/${orderNumber}/complete`, undefined, { 'idempotency-key': `complete-${orderNumber}` })
  const first = await complete()
  await server.sql(
    `UPDATE idempotent_calls SET reply = reply - '{received,paymentReference,epcPayload}'::text[] WHERE key = $1`,
    [`complete-${orderNumber}`],
  )
  const again = await complete()
  expect([again.statusCode, again.json()]).toEqual([200, first.json()])
})
