import { expect, test } from 'vitest'
import { makeChainTransaction, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = async (query: string) => server.as('ada')('GET', `/api/blockchain-transactions?${query}`)

test('transfers of one token have an exact total in any spelling of its address', async () => {
  const [token, other] = [newAddress(), newAddress()]
  for (const status of ['completed', 'completed', 'failed'] as const)
    await makeChainTransaction(server, newAddress(), { tokenAddress: token, status })
  await makeChainTransaction(server, newAddress(), { tokenAddress: other })
  const upper = `0x${token.slice(2).toUpperCase()}`
  expect((await get(`tokenAddress=${upper}`)).json()).toMatchObject({ total: 3 })
  const found = (await get(`tokenAddress=${token}&status=completed`)).json()
  expect(found).toMatchObject({ total: 2, transactions: [{ tokenAddress: token }, { tokenAddress: token }] })
  expect((await get(`tokenAddress=${newAddress()}`)).json()).toMatchObject({ total: 0 })
  expect((await get('tokenAddress=all')).json()).toMatchObject({ total: 4 })
  const refused = await get('tokenAddress=0x12')
  expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('tokenAddress')])
})

test('more than 10,000 transfers of a token are counted to the end on request alone', async () => {
  const token = newAddress()
  await server.sql(
    `INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address, amount, status,
       is_imported, created_at)
     SELECT '0x' || lpad(to_hex(n), 64, '0'), 0, $1, 'deposit', $2, 1, 'failed', false, '2024-05-01T12:00:00Z'
     FROM generate_series(1, 10001) n`,
    [newAddress(), token],
  )
  const count = async (query: string) => {
    const { total, totalExact, transactions } = (await get(query)).json()
    return [total, totalExact, transactions.length]
  }
  expect(await count(`tokenAddress=${token}`)).toEqual([10_000, false, 50])
  expect(await count(`tokenAddress=${token}&page=201`)).toEqual([10_000, false, 1])
  expect(await count(`tokenAddress=${token}&total=exact&limit=1`)).toEqual([10_001, true, 1])
  // A day of UTC is counted beforehand; one of another zone has parts of two.
  const day = 'from=2024-05-01&to=2024-05-01'
  expect(await count(day)).toEqual([10_001, true, 50])
  expect(await count(`${day}&timeZone=Asia/Tokyo`)).toEqual([10_000, false, 50])
  expect(await count(`from=2024-04-01&to=2024-06-30&timeZone=Asia/Tokyo&status=failed`)).toEqual([10_001, true, 50])
  expect(await count(`${day}&tokenAddress=${token}`)).toEqual([10_000, false, 50])
})
