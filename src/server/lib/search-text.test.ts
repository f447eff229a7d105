import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeAttempt, makeChainTransaction, makeMember, makeOrder, makeWallet } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
interface Page {
  total: number
  totalExact?: boolean
}
const find = async (path: string, text: string) => {
  const reply = await ada('GET', `${path}?search=${encodeURIComponent(text)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Page>()
}

const ana = await makeMember(server, {
  id: 'pasted-ana',
  email: 'ana.lima@pasted.test',
  legalFirstName: 'Ána  Maria',
  legalLastName: 'da\u00A0Łima\u202E',
  membershipId: 'MB-00412345',
})
const other = await makeMember(server, { legalFirstName: 'Lima', legalLastName: 'Other', email: 'other@pasted.test' })
await makeAttempt(server, ana.id)
await makeAttempt(server, other.id)
await makeOrder(server, ana.id, { orderNumber: 'QRD-011101', projectName: 'Park, Solar' })
await makeOrder(server, other.id, { orderNumber: 'QRD-011102' })
const wallet = await makeWallet(server, ana.id, { address: `0x${'ab12'.repeat(10)}` })
await makeChainTransaction(server, wallet.address, { transactionHash: `0x${'cd34'.repeat(16)}` })

const ofMembers = [
  '/api/users',
  '/api/orders',
  '/api/kyc/submission-history',
  '/api/kyc/verifications',
  '/api/kyc/step2-history',
  '/api/kyc/step3-history',
  '/api/kyc/step4-history',
]

describe.each(ofMembers)('in %s a member is found', (path) => {
  test.each([
    'ana maria da lima',
    'Lima Ana',
    'da Lima Ana Maria',
    'Da Lima, Ána',
    'DA LIMA,ANA MARIA',
    'lima\tana',
    'ana   maria',
    'ana\u00A0maria',
    '\u200Bana\u202E maria',
    '"Ana Maria da Lima"',
    'ANA.LIMA@pasted.test;',
    '<ana.lima@pasted.test>',
    'Ana Lima <ana.lima@pasted.test>',
    'mailto:ana.lima@pasted.test',
  ])('by %j', async (text) => {
    expect(await find(path, text)).toMatchObject({ total: 1, totalExact: true })
  })

  test.each(['ana%lima', 'ana_lima', 'maria ana', 'lima ana.lima'])('not by %j', async (text) => {
    expect(await find(path, text)).toMatchObject({ total: 0 })
  })
})

test.each(ofMembers.filter((path) => path !== '/api/orders'))('in %s a membership id is found whole', async (path) => {
  for (const text of ['MB-00412345', 'mb 0041 2345', 'MB–00412345', 'mb00412345'])
    expect((await find(path, text)).total, text).toBe(1)
  expect((await find(path, 'MB-0041234')).total).toBe(0)
})

test('an order is found by its number however spaced, or by its project', async () => {
  for (const text of ['QRD-011101', 'qrd 011101', ' QRD - 011 101', 'qrd011101', 'Park, Sol', 'park sol'])
    expect((await find('/api/orders', text)).total, text).toBe(1)
  expect((await find('/api/orders', 'QRD-0111')).total).toBe(2)
})

test('a transfer is found by a hash or address in capitals and with blanks', async () => {
  for (const key of [`0X${'CD34 '.repeat(16)}`, 'cd34'.repeat(16), ` 0x${'AB12'.repeat(5)}\n${'AB12'.repeat(5)};`])
    expect((await find('/api/blockchain-transactions', key)).total, key).toBe(1)
  expect((await find('/api/blockchain-transactions', ` 0X${'AB12'.repeat(9)};`)).total).toBe(1)
  expect((await find('/api/blockchain-transactions', `0x${'ab12'.repeat(9)}c`)).total).toBe(0)
})

test('a member is found by both orders of any name, and by any part of either', async () => {
  const part = fc.stringMatching(/^[A-Za-zÀ-ÿŁłŞşıΑ-ωА-я'-]{1,8}( [A-Za-zÀ-ÿА-я]{1,8})?$/)
  await fc.assert(
    fc.asyncProperty(part, part, fc.nat(), fc.nat(), async (first, last, from, length) => {
      await server.sql(`UPDATE members SET legal_first_name = $1, legal_last_name = $2 WHERE id = 'pasted-ana'`, [
        first,
        last,
      ])
      for (const whole of [`${first} ${last}`, `${last} ${first}`]) {
        const start = from % whole.length
        const cut = whole.slice(start, start + 1 + (length % whole.length))
        for (const text of [whole, whole.toUpperCase(), whole.replace(' ', ',  '), cut].filter(
          (each) => each.trim() !== '',
        )) {
          const rows = await server.sql(
            `SELECT search LIKE search_pattern($1) AS found FROM members WHERE id = 'pasted-ana'`,
            [text],
          )
          expect(rows, JSON.stringify({ first, last, text })).toEqual([{ found: true }])
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('a search in both orders is carried by the index of the words', async () => {
  const client = await server.services.database.pool.connect()
  await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexonlyscan = off')
  const { rows } = await client.query("EXPLAIN SELECT id FROM members WHERE search LIKE search_pattern('lima ana')")
  await client.query('ROLLBACK')
  client.release()
  expect(JSON.stringify(rows)).toContain('members_search')
})
