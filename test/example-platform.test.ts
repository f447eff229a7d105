import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsoleClient } from '#examples/platform/console.ts'

const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
const answers: ((reply: ServerResponse) => void)[] = []
const asked: string[] = []

/** A fake console with prepared answers, 200 by default. */
const fake = createServer((request: IncomingMessage, reply) => {
  void text(request).then(() => {
    asked.push(`${request.method} ${request.url}`)
    const answer = answers.shift() ?? json(200, { outcome: 'created' })
    answer(reply)
  })
})
const json =
  (status: number, said: object, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
const readAddress = () => `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
const hangUp = (reply: ServerResponse) => reply.destroy()

let stop = async () => {}
let shop = ''
const printed: string[] = []
beforeAll(async () => {
  fake.listen(0, '127.0.0.1')
  await once(fake, 'listening')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../examples/platform/main.ts')], {
    env: {
      CONSOLE_URL: readAddress(),
      PLATFORM_API_KEY: 'a-key',
      PLATFORM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 6).toString('base64')},${secret}`,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const lines = createInterface({ input: child.stdout }).on('line', (line) => printed.push(line))
  const [line] = (await once(lines, 'line')) as [string]
  shop = /http:\S+/.exec(line)![0]
})
afterAll(async () => {
  await stop()
  fake.close()
})

async function call(method: 'GET' | 'POST', path: string, body?: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${shop}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const said = await reply.text()
  const isPage = reply.headers.get('content-type')?.startsWith('text/html') === true
  return {
    status: reply.status,
    said: (isPage ? { page: said } : said ? JSON.parse(said) : undefined) as Record<string, unknown>,
  }
}
const signUp = (email: string) =>
  call('POST', '/sign-up', JSON.stringify({ email, firstName: 'Ana', lastName: 'Lima' }))

test('an unanswered or postponed call is repeated as it was, a refused one not (product 10.2)', async () => {
  const waits: number[] = []
  const call = createConsoleClient(readAddress(), 'a-key', async (ms) => waits.push(ms))
  answers.push(json(429, { message: 'Later' }, { 'retry-after': '7' }), hangUp, json(503, { message: 'Busy' }))
  await call({ method: 'PUT', path: '/members/m-1', json: {} })
  expect(asked.splice(0)).toEqual(Array.from({ length: 4 }, () => 'PUT /api/platform/v1/members/m-1'))
  expect(waits).toEqual([7000, 500, 1000])

  answers.push(json(409, { message: 'email: another member already has this e-mail' }))
  expect(await signUp('ana@example.com')).toEqual({
    status: 409,
    said: { message: 'email: another member already has this e-mail' },
  })
  expect(asked.splice(0)).toHaveLength(1)
})

test('an event counts once however often it comes (product 10.4)', async () => {
  const { id } = (await signUp('bo@example.com')).said
  const body = JSON.stringify({
    type: 'member.banned',
    timestamp: new Date().toISOString(),
    entity: { type: 'member', id },
    sequence: 1,
    version: 2,
    data: { memberId: id, membershipId: null, reason: 'Fraud' },
  })
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  }
  expect((await call('POST', '/events', body)).status).toBe(401)
  expect((await call('POST', '/events', body.replace('Fraud', 'None'), headers)).status).toBe(401)
  expect((await call('POST', '/events', body, headers)).status).toBe(204)
  expect((await call('POST', '/events', body, headers)).status).toBe(204)
  const path = `/members/${String(id)}`
  expect((await call('GET', path)).said).toMatchObject({ isBarred: true, reason: 'Fraud', heard: ['member.banned'] })
  expect(await call('POST', `${path}/wallets`)).toMatchObject({
    status: 403,
    said: { message: 'You are barred: Fraud' },
  })
})

async function tell(type: string, entity: string, sequence: number, data: object) {
  const [subject] = type.split('.')
  const head = {
    type,
    entity: { type: subject === 'kyc' ? 'member' : subject, id: entity },
    sequence,
    version: sequence + 1,
  }
  const body = JSON.stringify({ ...head, timestamp: new Date().toISOString(), data })
  const at = new Date()
  const headers = {
    'webhook-id': `${entity}-${sequence}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(`${entity}-${sequence}`, at, body),
  }
  expect((await call('POST', '/events', body, headers)).status).toBe(204)
}

test('an event of an unknown member or order is accepted (product 10.4)', async () => {
  const id = String((await signUp('cy@example.com')).said.id)
  printed.splice(0)
  await tell('member.unbanned', id, 1, { memberId: id })
  await tell('member.banned', 'm-gone', 1, { memberId: 'm-gone', reason: 'Fraud' })
  await tell('order.paid', 'ORD-GONE', 1, { memberId: id, orderNumber: 'ORD-GONE' })
  await tell('token.created', 'earning/0x1', 1, { tokenId: '7' })
  await expect
    .poll(() => printed)
    .toEqual([
      `heard member.unbanned of ${id}`,
      'heard member.banned of m-gone, which is not known here',
      'heard order.paid of ORD-GONE, which is not known here',
      'heard token.created of a token',
    ])
})

test('an event that comes after a later one changes nothing', async () => {
  const id = String((await signUp('dee@example.com')).said.id)
  await tell('member.banned', id, 1, { memberId: id, reason: 'Fraud' })
  await tell('member.unbanned', id, 2, { memberId: id })
  await tell('member.banned', id, 1, { memberId: id, reason: 'Fraud' })
  expect((await call('GET', `/members/${id}`)).said).toMatchObject({ isBarred: false, reason: null })
})

test('where an event is missing, the shop reads what stands', async () => {
  const id = String((await signUp('eve@example.com')).said.id)
  asked.splice(0)
  const kyc = { status: 'approved', rejectionReason: null }
  answers.push(json(200, { kyc, banned: true, bannedReason: 'Fraud', membershipId: 'MB-00000018' }))
  await tell('member.banned', id, 2, { memberId: id, reason: 'Fraud' })
  await expect
    .poll(async () => (await call('GET', `/members/${id}`)).said)
    .toMatchObject({ kyc: 'approved', isBarred: true, reason: 'Fraud', membershipId: 'MB-00000018' })
  expect(asked).toEqual([`GET /api/platform/v1/members/${id}`])
})

let orders = 0
/** An order of a verified member, with the events that tell of it. */
async function placeOrder() {
  const id = String((await signUp(`order-${++orders}@example.com`)).said.id)
  await tell('kyc.approved', id, 1, { memberId: id, kycStatus: 'approved' })
  const placed = await call('POST', `/members/${id}/orders`, JSON.stringify({ amount: '1500.00', currency: 'EUR' }))
  const orderNumber = String(placed.said.orderNumber)
  asked.splice(0)
  return {
    orderNumber,
    hear: (type: string, sequence: number, data: object) =>
      tell(type, orderNumber, sequence, { memberId: id, orderNumber, currency: 'EUR', ...data }),
    read: async () => ((await call('GET', `/members/${id}`)).said.orders as object[])[0],
  }
}

test('the example hands nothing out until all of the money has come (product 10.5)', async () => {
  const { orderNumber, hear, read } = await placeOrder()
  await hear('order.payment_received', 1, { received: '500.00', outstanding: '1000.00' })
  const partPaid = { status: 'waiting_payment', received: '500.00', notice: '1000.00 EUR are still to be paid' }
  expect(await read()).toMatchObject(partPaid)
  await hear('order.payment_reversed', 2, { status: 'waiting_payment', received: '0.00', outstanding: '1500.00' })
  const reversed = { status: 'waiting_payment', received: '0.00', notice: '1500.00 EUR are to be paid again' }
  expect(await read()).toMatchObject(reversed)
  await hear('order.refund_due', 3, { refundId: '7', amount: '25.00', outstanding: '25.00', cause: 'overpaid' })
  expect(await read()).toMatchObject({ status: 'waiting_payment', notice: '25.00 EUR will be paid back' })
  expect(asked).toEqual([])
  await hear('order.paid', 4, { status: 'paid', payment: { via: 'bank', amount: '1500.00' } })
  await expect.poll(read).toMatchObject({ status: 'completed', received: '1500.00', notice: null })
  expect(asked).toEqual([`POST /api/platform/v1/orders/${orderNumber}/complete`])
})

test('the example knows what is to be paid back from events alone (product 10.5)', async () => {
  const { hear, read } = await placeOrder()
  const refund = { refundId: '7', amount: '25.00' }
  await hear('order.refund_due', 1, { ...refund, outstanding: '25.00', cause: 'overpaid' })
  await hear('order.refund_withdrawn', 2, { ...refund, reason: 'She keeps it here' })
  expect(await read()).toMatchObject({ refunds: {}, notice: '25.00 EUR will not be paid back' })
  const again = { refundId: '8', amount: '25.00' }
  await hear('order.refund_due', 3, { ...again, outstanding: '25.00', cause: 'overpaid' })
  await hear('order.refund_paid', 4, { ...again, outstanding: '10.00', bookedOn: '2026-01-06' })
  expect(await read()).toMatchObject({ refunds: { 8: '10.00' }, notice: '10.00 EUR will be paid back' })
  await hear('order.refund_paid', 5, { ...again, outstanding: '0.00', bookedOn: '2026-01-07' })
  expect(await read()).toMatchObject({ refunds: { 8: '0.00' }, notice: '25.00 EUR were paid back' })
  await hear('order.refund_due', 6, { ...again, outstanding: '25.00', cause: 'overpaid' })
  expect(await read()).toMatchObject({ refunds: { 8: '25.00' } })
})

test('a payment that is reversed before the example completed it hands nothing out', async () => {
  const { hear, read } = await placeOrder()
  answers.push(json(409, { message: 'This order is waiting payment', code: 'order_state' }))
  await hear('order.paid', 1, { status: 'paid', payment: { via: 'bank', amount: '1500.00' } })
  await hear('order.payment_reversed', 2, { status: 'waiting_payment', received: '0.00', outstanding: '1500.00' })
  await expect.poll(() => asked).toHaveLength(1)
  expect(await read()).toMatchObject({ status: 'waiting_payment', received: '0.00' })
})

const payable = {
  status: 'waiting_payment',
  investmentAmount: '1500.00',
  received: '500.00',
  currency: 'EUR',
  bankName: 'Meridian & Sons <Bank>',
  accountHolder: 'Solar Park Ltd',
  iban: 'XX67 0000 0012 345',
  swift: 'MERIXX00',
  paymentReference: 'RF39ORD1042',
  epcPayload: 'BCD\n002\n1\nSCT\nMERIXX00\nSolar Park Ltd\nXX6700000012345\nEUR1000.00\n\nRF39ORD1042',
}

test('the page to pay an order shows its reference and a code that can be read back (product 10.5)', async () => {
  const { orderNumber } = await placeOrder()
  answers.push(json(200, { ...payable, orderNumber }))
  const page = String((await call('GET', `/orders/${orderNumber}/payment`)).said.page)
  expect(page).toContain('<dt>Reference</dt><dd>RF39 ORD1 042</dd>')
  expect(page).toContain('<dd>Meridian &amp; Sons &lt;Bank&gt;</dd>')
  const picture = /<svg.*<\/svg>/.exec(page)![0]
  const { data, info } = await sharp(Buffer.from(picture), { density: 300 }).raw().toBuffer({ resolveWithObject: true })
  expect(decodeQR({ width: info.width, height: info.height, data })).toBe(payable.epcPayload)
})

test('without a payment code the page shows the reference alone', async () => {
  const { orderNumber } = await placeOrder()
  answers.push(json(200, { ...payable, orderNumber, currency: 'CHF', epcPayload: null }))
  const page = String((await call('GET', `/orders/${orderNumber}/payment`)).said.page)
  expect([page.includes('RF39 ORD1 042'), page.includes('<svg')]).toEqual([true, false])
  expect((await call('GET', '/orders/ORD-NONE/payment')).status).toBe(404)
})
