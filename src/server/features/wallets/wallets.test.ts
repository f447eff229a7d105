import { expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const balance = (address: string) => server.as('ada')('GET', `/api/wallet-balance/${address}`)

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  '0x0000000000000000000000000000000000000000',
])('%s is an address whose balance without a chain is 503 chain_disabled', async (address) => {
  const reply = await balance(address)
  expect(reply.statusCode).toBe(503)
  expect(reply.json()).toMatchObject({
    code: 'chain_disabled',
    message: 'No chain is configured: set BSC_RPC_URLS',
    requestId: expect.any(String),
  })
})

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaedd',
  '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  '0xg000000000000000000000000000000000000000',
  'x'.repeat(101),
  '%00',
])('%s is not an address: 400', async (address) => {
  const reply = await balance(address)
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('walletAddress')])
})
