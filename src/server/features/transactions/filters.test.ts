import { expect, test } from 'vitest'
import type { MonitoredTransaction } from '#contract/schemas/transactions.ts'
import { makeMember, makeWallet, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const list = async (query: Record<string, string>) => {
  const reply = await ada('GET', `/api/blockchain-transactions?${new URLSearchParams(query).toString()}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ transactions: MonitoredTransaction[]; total: number }>()
}
const [token, other] = [newAddress(), newAddress()]
const [ana, bob] = [
  await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' }),
  await makeMember(server, { legalFirstName: 'Bob', legalLastName: 'Stone' }),
]
const [anaWallet, bobWallet] = [(await makeWallet(server, ana.id)).address, (await makeWallet(server, bob.id)).address]
const [shop, payout] = [newAddress(), newAddress()]

let made = 0
/** A transfer as the indexer stores it; its number names it in the tests. */
async function transfer(from: string, to: string, createdAt: string, given: { status?: string; of?: string } = {}) {
  const members = [anaWallet, bobWallet]
  const [isFrom, isTo] = [members.includes(from), members.includes(to)]
  const type = isFrom ? (isTo ? 'other' : 'withdrawal') : 'deposit'
  await server.sql(
    `INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address, token_symbol,
       amount, amount_raw, status, is_imported, created_at, chain_id, block_number, block_hash, from_address, to_address)
     VALUES ('0x' || lpad(to_hex($1::int), 64, 'a'), $1, $2, $3, $4, 'ABC', $1, $1, $5, false, $6, 56, 100 + $1::int,
       '0x' || repeat('b', 64), $7, $8)`,
    [++made, isFrom ? from : to, type, given.of ?? token, given.status ?? 'completed', createdAt, from, to],
  )
}
await transfer(shop, anaWallet, '2026-01-05T22:30:00Z')
await transfer(anaWallet, payout, '2026-01-05T23:30:00Z')
await transfer(anaWallet, bobWallet, '2026-01-06T09:00:00Z', { of: other })
await transfer(bobWallet, shop, '2026-01-06T23:30:00Z', { status: 'pending' })
const numbers = async (query: Record<string, string>) => {
  const { transactions, total } = await list(query)
  expect(total).toBe(transactions.length)
  return transactions.map(({ logIndex }) => logIndex)
}

test.each([
  [{ type: 'deposit' }, [1]],
  [{ type: 'withdrawal' }, [4, 2]],
  [{ type: 'withdrawal', status: 'pending' }, [4]],
  [{ type: 'other' }, [3]],
  [{ type: 'all', tokenAddress: other }, [3]],
  [{ tokenAddress: token, type: 'withdrawal' }, [4, 2]],
  [{ userId: ana.id }, [3, 2, 1]],
  // A transfer between members is found by the one who received it too.
  [{ userId: bob.id }, [4, 3]],
  [{ userId: bob.id, type: 'other', status: 'completed' }, [3]],
  [{ userId: 'nobody' }, []],
  [{ from: '2026-01-06' }, [4, 3]],
  [{ to: '2026-01-05' }, [2, 1]],
  [{ from: '2026-01-06', to: '2026-01-06' }, [4, 3]],
  // The day is the operator's: half past eleven in London is the next day in Berlin.
  [{ from: '2026-01-06', to: '2026-01-06', timeZone: 'Europe/Berlin' }, [3, 2]],
  [{ userId: ana.id, from: '2026-01-06', type: 'other', tokenAddress: other }, [3]],
  [{ search: anaWallet, type: 'deposit', to: '2026-01-05' }, [1]],
])('?%j lists exactly its transfers, with their total (product 5.8)', async (query, expected) => {
  expect(await numbers(query as Record<string, string>)).toEqual(expected)
})

test.each([
  [{ type: 'stolen' }, 'type'],
  [{ from: '2026-02-30' }, 'from'],
  [{ to: 'yesterday' }, 'to'],
  [{ userId: 'a b' }, 'userId'],
  [{ timeZone: 'Mars/Base' }, 'timeZone'],
])('?%j is 400 and names the field', async (query, field) => {
  const reply = await ada('GET', `/api/blockchain-transactions?${new URLSearchParams(query).toString()}`)
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(field)])
})

test('the total of a type follows writes (docs/decisions/005)', async () => {
  await transfer(shop, bobWallet, '2026-02-01T09:00:00Z')
  expect((await list({ type: 'deposit' })).total).toBe(2)
  await server.sql('DELETE FROM chain_transactions WHERE log_index = 5')
  expect((await list({ type: 'deposit' })).total).toBe(1)
})

test('the other side is a member, an own wallet by its label, or an address', async () => {
  const reply = await ada('POST', '/api/chain/treasury/wallets', { address: payout, label: 'Payouts' })
  expect(reply.statusCode, reply.body).toBe(200)
  const { transactions } = await list({})
  expect(transactions.map(({ logIndex, userId, counterparty }) => [logIndex, userId, counterparty])).toEqual([
    [4, bob.id, { address: shop, user: null, label: null }],
    [3, ana.id, { address: bobWallet, user: expect.objectContaining({ id: bob.id }), label: null }],
    [2, ana.id, { address: payout, user: null, label: 'Payouts' }],
    [1, ana.id, { address: shop, user: null, label: null }],
  ])
  expect(transactions[0]).toMatchObject({ blockNumber: 104, user: { legalFirstName: 'Bob' } })
})

test('the file has block, log, both sides and the members of the same rows (product 5.8)', async () => {
  const reply = await ada('GET', `/api/exports/chain-transactions?userId=${ana.id}&from=2026-01-06`)
  expect(reply.statusCode).toBe(200)
  const [heads, row, ...more] = reply.body.replace('\uFEFF', '').trim().split('\r\n')
  expect(more).toEqual([])
  expect(heads).toBe(
    'Hash,Log Index,Block,Type,Amount,Token,Token Address,Status,Wallet,User ID,Name,Email,Counterparty,Counterparty User ID,Counterparty Name,Counterparty Label,Date',
  )
  expect(row!.split(',').slice(1)).toEqual(
    expect.arrayContaining(['3', '103', 'Other', ana.id, 'Ana Lima', bobWallet, bob.id, 'Bob Stone']),
  )
})
