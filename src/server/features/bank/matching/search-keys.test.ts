import { expect, test } from 'vitest'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup } from '#test/support/match-lookup.ts'
import { rankCandidates } from './rank-candidates.ts'
import { buildSearchKeys } from './search-keys.ts'
import { type MatchLookup, type OrderKeyKind, orderKeyKinds } from './lookup.ts'

const lengths = new Set([9])

test('the keys of a line name everything that has to be looked up', () => {
  const keys = buildSearchKeys([makeStatementLine('ord 010240 tel 0912345')], lengths)
  expect([...keys.orders.number]).toContain('ORD010240')
  expect([...keys.orders.lookAlike]).toContain('0R0010240')
  expect([...keys.orders.nearby]).toContain('OR010240')
  expect([...keys.orders.digits]).toEqual(['10240', '912345'])
  expect([...keys.orders.amount]).toEqual(['EUR 100.00'])
  expect([...keys.names]).toEqual(['ana', 'lima'])
  expect([...keys.accounts]).toEqual(['DE1'])
  expect(keys.credits.size).toBe(0)
})

test('of a text at most 100 words are looked up for typing errors', () => {
  const keys = buildSearchKeys([makeStatementLine('A1'.repeat(1000))], lengths)
  expect(keys.garbled.size).toBeGreaterThan(0)
  const own = Array.from({ length: 300 }, (_, n) => `ORD-0${10_000 + n}`).join(' ')
  expect(buildSearchKeys([makeStatementLine(own)], lengths).garbled.size).toBeLessThanOrEqual(100)
})

test('a debit asks for earlier credits of its amount', () => {
  const keys = buildSearchKeys([makeStatementLine('RETOURE', { direction: 'debit' })], lengths)
  expect([[...keys.credits], keys.names.size, keys.orders.amount.size]).toEqual([['EUR 100.00'], 0, 0])
})

test('a line that is not booked asks for nothing', () => {
  const keys = buildSearchKeys([makeStatementLine('ORD-010240', { booking: 'pending' })], lengths)
  expect(orderKeyKinds.map((kind) => keys.orders[kind].size)).toEqual(orderKeyKinds.map(() => 0))
})

test("the text is searched for a name where the payer's is a company's", () => {
  const keys = buildSearchKeys([makeStatementLine('for Rui Lima', { payer: 'Wise Payments Ltd' })], lengths)
  expect([...keys.names]).toEqual(expect.arrayContaining(['wise', 'rui', 'lima']))
})

test('nothing is looked up that the keys do not name', () => {
  const lookup = makeMatchLookup([makeMatchOrder('ORD-010240')], { accounts: [{ account: 'DE1', memberId: 'ana' }] })
  const lines = ['ORD-010240', 'ORD-010420 Solar', 'RF18539007547034', '10240'].flatMap((text) => [
    makeStatementLine(text),
    makeStatementLine(text, { payer: null }),
    makeStatementLine(text, { direction: 'debit' }),
  ])
  for (const line of lines) {
    const keys = buildSearchKeys([line], lookup.numberLengths)
    const checked: MatchLookup = Object.assign(Object.create(lookup), {
      numberLengths: lookup.numberLengths,
      findOrders(kind: OrderKeyKind, key: string) {
        expect(keys.orders[kind], `${kind} ${key}`).toContain(key)
        return lookup.findOrders(kind, key)
      },
      findOpenOrders: (memberId: string) => lookup.findOpenOrders(memberId),
      findMember: (id: string) => lookup.findMember(id),
      findMembersByName(key: string) {
        expect(keys.names).toContain(key)
        return lookup.findMembersByName(key)
      },
      findAccountOwners(account: string) {
        expect(keys.accounts).toContain(account)
        return lookup.findAccountOwners(account)
      },
      findAccounts: (memberId: string) => lookup.findAccounts(memberId),
      findCredits: (currency: string, amount: string) => {
        expect(keys.credits).toContain(`${currency} ${amount}`)
        return lookup.findCredits(currency, amount)
      },
      findDueCredits: (account: string, currency: string) => lookup.findDueCredits(account, currency),
      findTransfers: (accountId: string | undefined) => lookup.findTransfers(accountId),
      isOwnAccount: () => false,
    })
    rankCandidates(line, checked)
  }
})
