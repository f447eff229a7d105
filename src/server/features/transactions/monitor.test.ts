import { describe, expect, test } from 'vitest'
import type { MonitoredTransaction, TransactionFigures } from '#contract/schemas/transactions.ts'
import { readConfig } from '#server/core/config.ts'
import { foldListCounts, makeChainTransaction, makeMember, makeWallet, newAddress } from '#test/support/make.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const list = async (query = '') => {
  const reply = await ada('GET', `/api/blockchain-transactions?${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ transactions: MonitoredTransaction[]; total: number; page: number; limit: number }>()
}
const figures = async () => {
  const reply = await ada('GET', '/api/blockchain-transactions/figures')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<TransactionFigures>()
}
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()

test('an empty chain is all zeros and an empty list', async () => {
  expect(await figures()).toEqual({ total: 0, completed: 0, pending: 0, failed: 0, volumes: [], tokens: 0 })
  expect(await list()).toEqual({ transactions: [], total: 0, totalExact: true, page: 1, limit: 50 })
})

describe('GET /api/blockchain-transactions', () => {
  test('a transfer has every field of the monitor view (product 6.6)', async () => {
    const ana = await makeMember(server)
    const wallet = await makeWallet(server, ana.id)
    const mine = await makeChainTransaction(server, wallet.address, {
      createdAt: at(2),
      amount: '0.000000000000000425',
      transactionType: 'withdrawal',
      status: 'pending',
    })
    await makeChainTransaction(server, newAddress(), { createdAt: at(1), status: 'failed', tokenSymbol: null })
    const found = await list()
    expect(found).toMatchObject({ total: 2, page: 1, limit: 50 })
    expect(found.transactions[0]).toEqual({
      id: mine.id,
      transactionHash: mine.transactionHash,
      logIndex: mine.logIndex,
      blockNumber: null,
      transactionType: 'withdrawal',
      type: 'withdrawal',
      amount: '0.000000000000000425',
      tokenSymbol: 'ABC',
      tokenAddress: mine.tokenAddress,
      status: 'pending',
      walletAddress: wallet.address,
      userId: ana.id,
      user: expect.objectContaining({ id: ana.id }),
      counterparty: null,
      createdAt: at(2),
    })
    expect(found.transactions[1]).toMatchObject({ userId: null, tokenSymbol: null, status: 'failed' })
  })

  test('a token that comes later names its transfers', async () => {
    const { tokenAddress } = await makeChainTransaction(server, newAddress(), { createdAt: at(5), tokenSymbol: null })
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol)
       VALUES ('earning', 'x', 'Late', $1, 'LATE'), ('fractions', 'x', 'Late', $1, 'LATE')`,
      [tokenAddress],
    )
    expect((await list('limit=1')).transactions[0]).toMatchObject({ tokenAddress, tokenSymbol: 'LATE' })
    expect((await figures()).volumes).toContainEqual({ tokenAddress, tokenSymbol: 'LATE', volume: '10.5' })
  })

  test('a hash or wallet address or its beginning finds its transfers, exactly counted', async () => {
    const wallet = `0xc0ffee${'7'.repeat(34)}`
    const first = await makeChainTransaction(server, wallet, { createdAt: at(10) })
    const second = await makeChainTransaction(server, wallet, { createdAt: at(11), status: 'failed' })
    const transactionHash = `0xdecade${'5'.repeat(58)}`
    await makeChainTransaction(server, newAddress(), { createdAt: at(12), transactionHash })
    const found = async (search: string, more = '') => {
      const { transactions, ...rest } = await list(`search=${encodeURIComponent(search)}${more}`)
      return [transactions.map(({ id }) => id), rest]
    }
    const both = { total: 2, totalExact: true, page: 1, limit: 50 }
    expect(await found(wallet)).toEqual([[second.id, first.id], both])
    expect(await found(` ${wallet.toUpperCase().replace('X', 'x')} `)).toEqual([[second.id, first.id], both])
    expect(await found(wallet, '&status=failed')).toEqual([[second.id], { ...both, total: 1 }])
    expect(await found(wallet, '&limit=1&page=2')).toEqual([[first.id], { ...both, page: 2, limit: 1 }])
    expect((await list(`search=${transactionHash}`)).transactions).toMatchObject([{ transactionHash }])
    for (const none of [
      wallet.slice(0, 7),
      wallet.slice(1, 20),
      `0x${'9'.repeat(64)}`,
      'ABC',
      '%',
      `0x${'9'.repeat(40)}`,
    ])
      expect(await found(none)).toEqual([[], { ...both, total: 0 }])
    for (const beginning of [8, 12, 41])
      expect(await found(wallet.slice(0, beginning).toUpperCase().replace('X', 'x'))).toEqual([
        [second.id, first.id],
        both,
      ])
    expect(await found(wallet.slice(2, 12), '&status=failed')).toEqual([[second.id], { ...both, total: 1 }])
    for (const beginning of [10, 43, 65])
      expect((await list(`search=${transactionHash.slice(0, beginning)}`)).transactions).toMatchObject([
        { transactionHash },
      ])
    expect((await list('search=%20')).total).toBe((await list()).total)
  })

  test.each([
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['status=lost', 'status'],
    ['status=failed&status=pending', 'status'],
    ['page=0', 'page'],
    ['limit=1001', 'limit'],
  ])('?%s is 400 and names %s (product 4.3)', async (query, field) => {
    const reply = await ada('GET', `/api/blockchain-transactions?${query}`)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(field)])
  })

  test('pages, filters and totals stay exact through changes and folding (product 14, 5.2)', async () => {
    const check = async () => {
      for (const status of ['', 'completed', 'pending', 'failed']) {
        const rows = await server.sql<{ id: string }>(
          `SELECT id::text FROM chain_transactions WHERE $1 IN ('', status) ORDER BY created_at DESC, id DESC`,
          [status],
        )
        for (const page of [1, 2, 101, Math.ceil(rows.length / 50), 100_000]) {
          const found = await list(`page=${page}&status=${status}`)
          expect(found.total).toBe(rows.length)
          expect(found.transactions.map(({ id }) => id)).toEqual(
            rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
          )
        }
      }
      expect((await list('limit=1000&status=all')).transactions).toHaveLength(1000)
      expect(await figures()).toMatchObject(
        (
          await server.sql(`
            SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'completed')::int AS completed,
              count(*) FILTER (WHERE status = 'pending')::int AS pending,
              count(*) FILTER (WHERE status = 'failed')::int AS failed FROM chain_transactions`)
        )[0]!,
      )
      expect((await figures()).volumes.map(({ tokenAddress, volume }) => [tokenAddress, volume])).toEqual(
        (
          await server.sql<{ address: string; volume: string }>(`
            SELECT token_address AS address, trim_scale(sum(amount))::text AS volume FROM chain_transactions
            WHERE status = 'completed' GROUP BY 1 ORDER BY sum(amount) DESC, 1 LIMIT 100`)
        ).map(({ address, volume }) => [address, volume]),
      )
    }
    await server.sql(`
      INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address,
        token_symbol, amount, status, is_imported, created_at)
      SELECT '0x' || lpad(to_hex(n), 64, 'c'), 0, '0x' || lpad(to_hex(n % 40), 40, 'd'), 'deposit',
        '0x' || lpad(to_hex(n % 3), 40, 'e'), CASE WHEN n % 5 > 0 THEN 'T' || n % 3 END,
        n + 0.000000000000000001, (ARRAY['completed', 'completed', 'pending', 'failed'])[1 + n % 4], true,
        timestamptz '2025-06-01' + n * interval '20 minutes'
      FROM generate_series(1, 9000) n`)
    await check()
    await foldListCounts(server)
    await server.sql(`UPDATE chain_transactions SET status = 'completed' WHERE status = 'pending' AND id % 3 = 0`)
    await server.sql(`UPDATE chain_transactions SET amount = amount * 3, token_symbol = 'NEW' WHERE id % 11 = 0`)
    await server.sql(`UPDATE chain_transactions SET created_at = created_at + interval '3 days' WHERE id % 4 = 0`)
    await server.sql(`DELETE FROM chain_transactions WHERE id % 9 = 0`)
    await check()
    await foldListCounts(server)
    await check()
  })
})

describe('GET /api/blockchain-transactions/figures', () => {
  test('volume is per token, of completed transfers, exact, largest first (product 12.4)', async () => {
    await server.sql('DELETE FROM chain_transactions')
    const [small, big] = [newAddress(), newAddress()]
    const make = (tokenAddress: string, amount: string, status: 'completed' | 'pending' | 'failed' = 'completed') =>
      makeChainTransaction(server, newAddress(), { tokenAddress, amount, status, tokenSymbol: 'UN/LISTED' })
    await make(small, '2.50')
    await make(small, '0.000000000000000001')
    await make(big, '123456789012345678901234567890.5')
    await make(big, '1', 'pending')
    await make(big, '1', 'failed')
    expect(await figures()).toEqual({
      total: 5,
      completed: 3,
      pending: 1,
      failed: 1,
      volumes: [
        { tokenAddress: big, tokenSymbol: 'UN/LISTED', volume: '123456789012345678901234567890.5' },
        { tokenAddress: small, tokenSymbol: 'UN/LISTED', volume: '2.500000000000000001' },
      ],
      tokens: 2,
    })
  })

  test('a sum beyond the range of one amount is still exact', async () => {
    await server.sql('DELETE FROM chain_transactions')
    const given = { tokenAddress: newAddress(), amount: '9'.repeat(60), tokenSymbol: null }
    for (let n = 0; n < 2; n++) await makeChainTransaction(server, newAddress(), given)
    expect((await figures()).volumes).toEqual([
      { tokenAddress: given.tokenAddress, tokenSymbol: null, volume: String(BigInt(given.amount) * 2n) },
    ])
  })

  test('of more than 100 tokens the largest 100 are told, and how many there are', async () => {
    await server.sql('DELETE FROM chain_transactions')
    await Promise.all(
      Array.from({ length: 103 }, (_, at) => makeChainTransaction(server, newAddress(), { amount: `${at + 1}` })),
    )
    const { volumes, tokens } = await figures()
    expect([tokens, volumes.length, volumes[0]?.volume, volumes.at(-1)?.volume]).toEqual([103, 100, '103', '4'])
  })
})

test('an import of transfers tells open consoles that the monitor changed (product 3.4)', async () => {
  await server.sql('DELETE FROM chain_transactions')
  const client = await server.services.database.pool.connect()
  const heard = new Promise<string | undefined>((resolve) =>
    client.on('notification', ({ payload }) => {
      if (payload?.includes('chainTransactions')) resolve(payload)
    }),
  )
  await client.query('LISTEN changes')
  const line = {
    type: 'chainTransaction',
    transactionHash: `0x${'f'.repeat(64)}`,
    logIndex: 0,
    walletAddress: newAddress(),
    transactionType: 'other',
    tokenAddress: newAddress(),
    amount: '1',
    status: 'completed',
    createdAt: at(1),
  }
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/platform/v1/import',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${platformKey}` },
    payload: JSON.stringify(line),
  })
  expect(reply.json()).toMatchObject({ created: 1 })
  expect(await heard).toContain('users')
  client.release(true)
  expect((await figures()).volumes).toContainEqual({ tokenAddress: line.tokenAddress, tokenSymbol: null, volume: '1' })
})

test.each([
  ['chain 56', { CHAIN_MODE: 'rpc', BSC_RPC_URLS: 'https://node.example' }, 'https://bscscan.com'],
  ['nodes alone', { BSC_RPC_URLS: 'https://node.example' }, 'https://bscscan.com'],
  ['chain 97', { BSC_RPC_URLS: 'https://node.example', BSC_CHAIN_ID: '97' }, 'https://testnet.bscscan.com'],
  ['another chain', { BSC_RPC_URLS: 'https://node.example', BSC_CHAIN_ID: '1' }, undefined],
  ['the local chain', { CHAIN_MODE: 'embedded' }, undefined],
  [
    'an own explorer',
    { BSC_RPC_URLS: 'https://node.example', EXPLORER_URL: 'https://scan.example' },
    'https://scan.example',
  ],
])('%s has its explorer (product 13.2)', (_chain, set, explorer) => {
  expect(readConfig(set).explorerUrl).toBe(explorer)
})

test('EXPLORER_URL is handed to the page without a slash at its end (product 13.2)', async () => {
  const of = (value: string) => readConfig({ EXPLORER_URL: value }).explorerUrl
  expect(of('https://testnet.bscscan.com/')).toBe('https://testnet.bscscan.com')
  expect(of('')).toBeUndefined()
  expect(() => of('javascript:alert(1)')).toThrow('EXPLORER_URL must be a URL that starts with http:// or https://')
})
