import { describe, expect, test } from 'vitest'
import type { SearchReply } from '#contract/schemas/search.ts'
import { makeAttempt, makeMember, makeOrder, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { parseAmount } from '#server/search/search-terms.ts'

const server = await startServer()
const ask = async (path: string) => {
  const reply = await server.as('ada')('GET', path)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<SearchReply>()
}
const find = (q: string) => ask(`/api/search?q=${encodeURIComponent(q)}`)
const memberIds = async (q: string) => (await find(q)).members.map(({ id }) => id)
const orderNumbers = async (q: string) => (await find(q)).orders.map(({ orderNumber }) => orderNumber)
const transactionIds = async (q: string) => (await find(q)).platformTransactions.map(({ id }) => id)

const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima', legalPhone: '+351 912 345 678' })
const local = await makeMember(server, { legalPhone: '0791 112 34 56' })
const british = await makeMember(server, { legalPhone: '+44 (0)20 7946 0958' })

describe('a member is found', () => {
  test.each([
    '+351 912 345 678',
    '00351912345678',
    '(+351) 912-345-678'.slice(1).replace(')', ''),
    '912 345 678',
    '912345678',
    '345.678',
  ])('by the telephone number %s', async (text) => {
    const { members } = await find(text)
    expect(members).toMatchObject([{ id: ana.id, phone: '+351 912 345 678' }])
  })

  test('by a number with its country where it is kept without, and the other way round', async () => {
    expect(await memberIds('+44 791 112 34 56')).toEqual([local.id])
    expect(await memberIds('+44 20 7946 0958')).toEqual([british.id])
    expect(await memberIds('020 7946 0958')).toEqual([british.id])
  })

  test('not by fewer than six digits, nor by the first digits of a number', async () => {
    for (const text of ['45678', '+351 912', '351912345']) expect(await memberIds(text), text).toEqual([])
  })

  test('by the id of a KYC case', async () => {
    await makeAttempt(server, ana.id)
    expect(await memberIds(` case-${ana.id}-1`)).toEqual([ana.id])
    expect(await memberIds(`case-${ana.id}-2`)).toEqual([])
  })
})

describe('an order is found', async () => {
  const iban = 'PT50 0002 0123 1234 5678 9015 4'
  const bank = { iban, investmentAmount: '7487.00', currency: 'GBP' }
  await makeOrder(server, ana.id, { ...bank, orderNumber: 'AMT-1', createdAt: '2026-01-01T00:00:00Z' })
  await makeOrder(server, ana.id, { ...bank, orderNumber: 'AMT-2', currency: 'EUR', createdAt: '2026-01-02T00:00:00Z' })
  await makeOrder(server, local.id, { iban: 'PT51 0002', investmentAmount: '1.23', orderNumber: 'AMT-3' })

  test.each(['7,487.00', '7487', '7.487,00', '7 487.00', "7'487.0", '7487.00'])('by the amount %s', async (text) => {
    expect(await orderNumbers(text)).toEqual(['AMT-2', 'AMT-1'])
  })

  test('by an amount with its currency', async () => {
    expect(await orderNumbers('7,487.00 GBP')).toEqual(['AMT-1'])
    expect(await orderNumbers('€7487')).toEqual(['AMT-2'])
    expect(await orderNumbers('7,487.01')).toEqual([])
  })

  test.each([iban, iban.replaceAll(' ', ''), iban.toLowerCase(), 'PT50 0002 01'])('by the IBAN %s', async (text) => {
    const { orders } = await find(text)
    expect(orders).toMatchObject([
      { orderNumber: 'AMT-2', iban, status: 'waiting_payment', investmentAmount: '7487.00', currency: 'EUR' },
      { orderNumber: 'AMT-1', iban },
    ])
  })

  test('not by fewer than eight characters of an IBAN', async () => {
    expect(await orderNumbers('PT50 000')).toEqual([])
  })

  test('by its number with other blanks', async () => {
    expect((await orderNumbers('amt 1'))[0]).toBe('AMT-1')
  })
})

test('a platform transaction is found by its id and by its amount', async () => {
  await makeTransaction(server, ana.id, { id: 'tx:Found-1', amount: '250.75', createdAt: '2026-01-05T09:00:00.000Z' })
  expect((await find('tx:Found-1')).platformTransactions).toEqual([
    {
      id: 'tx:Found-1',
      userId: ana.id,
      userName: 'Ana Lima',
      type: expect.any(String),
      amount: '250.75',
      status: expect.any(String),
      createdAt: '2026-01-05T09:00:00.000Z',
    },
  ])
  expect(await transactionIds('250.750')).toEqual(['tx:Found-1'])
  expect(await transactionIds('$250,75')).toEqual(['tx:Found-1'])
  expect(await transactionIds('tx:Found')).toEqual([])
})

test.each([
  ['7487', ['7487'], null],
  ['7,487.00 GBP', ['7487.00'], 'GBP'],
  ['1.234', ['1234', '1.234'], null],
  ['1,234', ['1234', '1.234'], null],
  ['1.234.567', ['1234567'], null],
  ['1.234.567,89', ['1234567.89'], null],
  ['12,34', ['12.34'], null],
])('%s is read as the amounts %j', (text, decimals, currency) => {
  expect(parseAmount(text)).toEqual({ decimals, currency })
})

test.each([
  ['-12.50', ['12.50'], null, '-'],
  ['−1,250.00 EUR', ['1250.00'], 'EUR', '-'],
  ['EUR -5', ['5'], 'EUR', '-'],
  ['-€5', ['5'], 'EUR', '-'],
  ['+12.50', ['12.50'], null, '+'],
])('%s is read as the amounts %j %s with a sign', (text, decimals, currency, sign) => {
  expect(parseAmount(text)).toEqual({ decimals, currency, sign })
})

test('a number with a plus and no places is not an amount', () => {
  expect(parseAmount('+351 912 345 678')).toBeNull()
})

test.each(['', 'GBP', '1,23,45', '12.34.56', 'EUR 5 EUR', '- ', '--5', '1e5', 'ORD-7487', '5 %'])(
  '%j is not an amount',
  (text) => {
    expect(parseAmount(text)).toBeNull()
  },
)

test('a message is found by its whole id (product 3.7)', async () => {
  const id = '3b9e2c5a-7d41-4f8a-9c0d-5e6f7a8b9c0d'
  await server.sql(`INSERT INTO messages (channel, direction, source, message_id, type, entity_type, entity_id, state, signature)
    VALUES ('kyc', 'in', 'sumsub', 'evt-Ab7', 'kyc.result', 'member', '${ana.id}', 'applied', 'valid')`)
  await server.sql(`INSERT INTO messages (channel, direction, message_id, type, entity_type, entity_id, attempt_number, state)
    VALUES ('kyc', 'out', '${id}', 'kyc.submitted', 'member', '${ana.id}', 9, 'delivered')`)
  expect((await find(id.toUpperCase())).messages).toMatchObject([
    { messageId: id, type: 'kyc.submitted', entityId: ana.id, endpoint: null, state: 'delivered' },
  ])
  expect((await find('evt-Ab7')).messages).toMatchObject([{ type: 'kyc.result', state: 'applied' }])
  for (const text of [id.slice(0, -1), 'evt-ab7', 'evt']) expect((await find(text)).messages, text).toEqual([])
})

test('members and orders are answered by their ids in the given order', async () => {
  const order = await makeOrder(server, british.id, {})
  const { members, orders } = await ask(
    `/api/search/recent?members=${british.id},nobody,${ana.id}&orders=${order.id},999999999`,
  )
  expect(members.map(({ id }) => id)).toEqual([british.id, ana.id])
  expect(orders.map(({ id }) => id)).toEqual([order.id])
  expect(await ask('/api/search/recent')).toMatchObject({ members: [], orders: [] })
  for (const query of ['members=a b', 'orders=x', `members=${Array(9).fill('a').join(',')}`])
    expect((await server.as('ada')('GET', `/api/search/recent?${query}`)).statusCode, query).toBe(400)
})
