import { describe, expect, test } from 'vitest'
import type { SearchReply } from '#contract/schemas/search.ts'
import { makeChainTransaction, makeMember, makeMembers, makeOrder, makeWallet, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const find = async (q: string) => {
  const reply = await ada('GET', `/api/search?q=${encodeURIComponent(q)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<SearchReply>()
}
const memberIds = async (q: string) => (await find(q)).members.map(({ id }) => id)
const orderNumbers = async (q: string) => (await find(q)).orders.map(({ orderNumber }) => orderNumber)
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()
const makeToken = (kind: string, name: string, symbol: string, address: string) =>
  server.sql(
    `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol) VALUES ($1, 'x', $2, $3, $4)`,
    [kind, name, address, symbol],
  )

describe('a member is found (product 3.7)', async () => {
  const ana = await makeMember(server, {
    id: 'known:ana',
    email: 'ana.maria@found.test',
    legalFirstName: 'Ánà',
    legalLastName: 'Łima Søren',
    membershipId: 'MB-00412345',
  })
  const wallet = await makeWallet(server, ana.id, { address: `0xfeed42${'ab'.repeat(17)}` })
  const nameless = await makeMember(server, { id: 'known:none', email: 'q.x@found.test' })

  test.each([
    ['first and last name together', 'ana lima'],
    ['part of the name, accents folded', 'NÁ ŁIM'],
    ['the whole e-mail', 'ANA.MARIA@found.test'],
    ['part of the e-mail', '.maria@fou'],
    ['the membership id', 'mb-00412345'],
    ['the beginning of the membership id', 'MB-0041'],
    ['the id', 'known:ana'],
    ['a wallet', wallet.address],
    ['a wallet in capitals', wallet.address.toUpperCase().replace('X', 'x')],
    ['the beginning of a wallet', '0xfeed42'],
    ['blanks around', '  ana lima  '],
    ['last and first name', 'Lima Søren, Ana'],
    ['the e-mail as mail programs write it', 'Ana <ana.maria@found.test>;'],
    ['the membership id with blanks', 'mb 0041 2345'],
    ['a wallet with blanks', wallet.address.replace('ab', ' ab ')],
  ])('by %s: %s', async (_how, typed) => {
    expect((await find(typed)).members).toEqual([
      {
        id: 'known:ana',
        name: 'Ánà Łima Søren',
        email: 'ana.maria@found.test',
        membershipId: 'MB-00412345',
        phone: null,
        kycStatus: null,
        kycBanned: false,
      },
    ])
  })

  test('a member is found by two letters, or by e-mail where the name is missing', async () => {
    expect((await find('.x')).members).toMatchObject([
      { id: nameless.id, name: 'q.x@found.test', email: 'q.x@found.test', membershipId: null },
    ])
  })

  test.each(['known:an', 'MB-1', '%', '_', 'ana\\', '0xfeed43', `0x${'1'.repeat(40)}`, "' OR 1=1 --", 'søren\nlima'])(
    'not by %j',
    async (typed) => {
      expect(await memberIds(typed)).toEqual([])
    },
  )

  test('and nothing of the search goes to the audit log', async () => {
    expect(await server.sql(`SELECT 1 FROM audit_log WHERE action NOT IN ('login', 'create_admin')`)).toEqual([])
  })
})

describe('the best five come first (product 3.7)', () => {
  test('a whole name or e-mail, then a beginning, then the newest', async () => {
    const make = (id: string, legalFirstName: string, legalLastName: string, minute: number) =>
      makeMember(server, { id, legalFirstName, legalLastName, createdAt: at(minute) })
    await make('within-new', 'Xbrandt', 'Nerx', 9)
    await make('within-old', 'Xbrandt', 'Nerx', 8)
    await make('begins', 'Brandt', 'Nerval', 3)
    await make('last-begins', 'D', 'Brandt Nerval', 2)
    await make('whole', 'Brandt', 'Ner', 1)
    await make('within-oldest', 'Xbrandt', 'Nerx', 0)
    expect(await memberIds('brandt ner')).toEqual(['whole', 'begins', 'last-begins', 'within-new', 'within-old'])
    await makeMember(server, { id: 'Brandt', createdAt: at(0) })
    expect((await memberIds('Brandt'))[0]).toBe('Brandt')
  })

  test('the newest five of many', async () => {
    await makeMembers(server, 12, (index) => ({
      id: `many-${index}`,
      email: `many${index}@zcrowd.test`,
      createdAt: at(index),
    }))
    const newest = [11, 10, 9, 8, 7].map((index) => `many-${index}`)
    expect(await memberIds('crowd')).toEqual(newest)
    expect(await memberIds('@z')).toEqual(newest)
  })
})

test('an order is found by its number, its member and its project (product 3.7)', async () => {
  const bea = await makeMember(server, { email: 'bea@orders.test', legalFirstName: 'Bea', legalLastName: 'Núñez' })
  const given = { projectId: 'pr-9', projectName: 'Café Lagoa' }
  const old = await makeOrder(server, bea.id, { ...given, orderNumber: 'QRD-7', createdAt: at(1) })
  const order = await makeOrder(server, bea.id, { ...given, orderNumber: 'QRD-77', createdAt: at(2) })
  expect((await find('QRD-77')).orders).toEqual([
    {
      id: order.id,
      orderNumber: 'QRD-77',
      projectName: 'Café Lagoa',
      userId: bea.id,
      userName: 'Bea Núñez',
      iban: null,
      status: 'waiting_payment',
      investmentAmount: order.investmentAmount,
      currency: order.currency,
    },
  ])
  expect(await orderNumbers('qrd-7')).toEqual([old.orderNumber, order.orderNumber])
  for (const typed of ['bea nun', 'bea@orders', 'cafe lag', 'pr-9', 'qrd', 'RD-7'])
    expect(await orderNumbers(typed), typed).toHaveLength(2)
  expect(await orderNumbers('QRD-78')).toEqual([])
})

describe('a transaction is found (product 3.7)', async () => {
  const cleo = await makeMember(server, { email: 'cleo@chain.test' })
  const wallet = await makeWallet(server, cleo.id)
  const hash = `0xc0ffee${'12'.repeat(29)}`
  const mine = await makeChainTransaction(server, wallet.address, { transactionHash: hash, createdAt: at(1) })
  const stranger = await makeChainTransaction(server, newAddress(), {
    transactionHash: `0xc0ffef${'12'.repeat(29)}`,
    createdAt: at(2),
  })
  const hit = {
    id: mine.id,
    transactionHash: hash,
    walletAddress: wallet.address,
    transactionType: 'deposit',
    amount: mine.amount,
    tokenSymbol: mine.tokenSymbol,
    status: mine.status,
  }

  test.each([
    ['the whole hash', hash],
    ['the whole hash without 0x, in capitals', hash.slice(2).toUpperCase()],
    ['six digits of its beginning', '0xC0FFEE'],
    ['more of its beginning, without 0x', hash.slice(2, 50)],
  ])('by %s', async (_how, typed) => {
    expect((await find(typed)).transactions).toEqual([hit])
  })

  test('by its wallet, together with the member', async () => {
    expect(await find(wallet.address)).toMatchObject({
      members: [{ id: cleo.id, name: cleo.email, email: cleo.email, membershipId: null }],
      orders: [],
      platformTransactions: [],
      transactions: [hit],
      tokens: [],
    })
  })

  test('by the wallet that received it from another member', async () => {
    const receiver = newAddress()
    const between = { transactionType: 'other', fromAddress: wallet.address, toAddress: receiver } as const
    const given = await makeChainTransaction(server, wallet.address, { ...between, createdAt: at(0) })
    expect((await find(receiver)).transactions).toMatchObject([{ id: given.id, walletAddress: wallet.address }])
    await server.sql('DELETE FROM chain_transactions WHERE id = $1', [given.id])
  })

  test('not by fewer than six digits, nor by a wallet nobody registered', async () => {
    expect((await find('0xc0ffe')).transactions).toEqual([])
    expect((await find(stranger.transactionHash)).transactions).toMatchObject([{ id: stranger.id }])
  })
})

test('a token is found by symbol, project and contract, a whole symbol first (product 3.7)', async () => {
  const [whole, longer] = [newAddress(), newAddress()]
  await makeToken('earning', 'Zed Élan', 'ZED', whole)
  await makeToken('fractions', 'Other zed', 'ZEDX', longer)
  const symbols = async (typed: string) => (await find(typed)).tokens.map(({ tokenSymbol }) => tokenSymbol)
  expect((await find('elan')).tokens).toEqual([
    {
      id: expect.any(String),
      kind: 'earning',
      projectName: 'Zed Élan',
      tokenSymbol: 'ZED',
      contractAddress: whole,
      isActive: true,
    },
  ])
  expect(await symbols('zed')).toEqual(['ZED', 'ZEDX'])
  expect(await symbols('edx')).toEqual(['ZEDX'])
  expect(await symbols(longer)).toEqual(['ZEDX'])
  expect(await symbols(longer.slice(0, 30))).toEqual(await symbols(longer.slice(2, 30)))
  expect(await symbols('nothing of it')).toEqual([])
})

test.each([
  ['', 'is missing'],
  ['q=', 'is empty'],
  ['q=%20%09', 'is blank'],
  [`q=${'x'.repeat(201)}`, 'is too long'],
  ['q=a%00b', 'holds NUL'],
  ['q=a&q=b', 'is given twice'],
])('?%s is 400 and names q, since it %s (product 4.3)', async (query) => {
  const reply = await ada('GET', `/api/search?${query}`)
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringMatching(/^q: /)])
})
