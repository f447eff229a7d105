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
