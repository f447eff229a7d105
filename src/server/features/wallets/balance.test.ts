import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startBalanceConsoles } from '#test/support/balance-consoles.ts'
import { type Fault, startFakeNode } from '#test/support/fakes/chain-node.ts'
import { startServer } from '#test/support/server.ts'

const { timeouts, node, second, server, two, newWallet, readBalance } = await startBalanceConsoles()

/** The console's own clock stands still until the test advances it. */
function holdClock() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

const contract = (n: number) => `0x${n.toString(16).padStart(40, 'c')}`
async function register(...list: { n: number; symbol: string; decimals: number; isActive?: boolean; kind?: string }[]) {
  for (const each of [server, two]) {
    await each.sql('DELETE FROM tokens')
    for (const { n, symbol, decimals, isActive = true, kind = 'earning' } of list)
      await each.sql(
        `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals, is_active)
         VALUES ($1, '🪙', 'Solar', $2, $3, $4, $5)`,
        [kind, contract(n), symbol, decimals, isActive],
      )
  }
}

beforeEach(async () => {
  for (const each of [node, second]) {
    each.fault = null
    each.calls.length = 0
    each.facts.chainId = 56
    each.facts.balances.clear()
    each.facts.hogs.clear()
    each.facts.native = 3_000_000_000_000_000_001n
  }
  await register({ n: 1, symbol: 'ONE', decimals: 18 }, { n: 2, symbol: 'SIX', decimals: 6 })
  node.facts.balances.set(contract(1), 1_500_000_000_000_000_001n).set(contract(2), 2_000_001n)
})

test('Wallets: one call reads all active tokens and BNB of one block exactly (product 5.8)', async () => {
  await register(
    { n: 1, symbol: 'ONE', decimals: 18 },
    { n: 2, symbol: 'SIX', decimals: 6 },
    { n: 3, symbol: 'WHOLE', decimals: 0 },
    { n: 3, symbol: 'WHOLE', decimals: 0, kind: 'fractions' },
    { n: 4, symbol: 'OFF', decimals: 18, isActive: false },
  )
  node.facts.balances.set(contract(3), 2n ** 200n)
  expect((await readBalance()).json()).toEqual({
    totalBalance: `${2n ** 200n + 3n}.500001000000000001`,
    tokens: [
      { tokenSymbol: 'ONE', balance: '1.500000000000000001' },
      { tokenSymbol: 'SIX', balance: '2.000001' },
      { tokenSymbol: 'WHOLE', balance: String(2n ** 200n) },
    ],
    nativeBalance: '3.000000000000000001',
    blockNumber: '48000000',
    blockAt: new Date(node.facts.at * 1000).toISOString(),
    isOld: false,
    chainId: 56,
    partial: false,
    failed: [],
  })
  expect(node.calls.filter(([method]) => method === 'eth_call')).toHaveLength(1)
})

test('without an active token the total is 0 and the chain’s own coin is real', async () => {
  await register()
  expect((await readBalance()).json()).toMatchObject({
    totalBalance: '0',
    tokens: [],
    nativeBalance: '3.000000000000000001',
  })
})

test('unreadable tokens are listed apart and never as zero', async () => {
  const bad = ['reverts', 'short', 'huge'] as const
  await register(
    { n: 1, symbol: 'ONE', decimals: 18 },
    ...bad.map((symbol, at) => ({ n: 10 + at, symbol, decimals: 18 })),
    { n: 20, symbol: 'NONE', decimals: 18 },
  )
  for (const [at, how] of bad.entries()) node.facts.balances.set(contract(10 + at), how)
  expect((await readBalance()).json()).toMatchObject({
    totalBalance: '1.500000000000000001',
    tokens: [{ tokenSymbol: 'ONE', balance: '1.500000000000000001' }],
    partial: true,
    failed: [
      { tokenSymbol: 'reverts', error: 'call_failed' },
      { tokenSymbol: 'short', error: 'call_failed' },
      { tokenSymbol: 'huge', error: 'call_failed' },
      { tokenSymbol: 'NONE', error: 'no_contract' },
    ],
  })
})

test('a contract that burns all gas fails alone', async () => {
  node.facts.hogs.add(contract(2))
  expect((await readBalance()).json()).toMatchObject({
    tokens: [{ tokenSymbol: 'ONE' }],
    failed: [{ tokenSymbol: 'SIX', error: 'call_failed' }],
  })
})

test('many contracts that fail slowly are given up at the deadline', async () => {
  await register(...Array.from({ length: 30 }, (_, n) => ({ n, symbol: `T${n}`, decimals: 18 })))
  await readBalance()
  holdClock()
  node.calls.length = 0
  node.fault = (response, call) => {
    vi.advanceTimersByTime(3000)
    json({ error: { code: 3, message: 'execution reverted' } })(response, call)
  }
  const reply = await readBalance()
  expect([reply.statusCode, reply.json().code]).toEqual([504, 'chain_timeout'])
  expect(node.calls.length).toBeLessThan(9)
})

test('when no token at all can be read that is an error, not an empty wallet', async () => {
  node.facts.balances.clear()
  const reply = await readBalance()
  expect([reply.statusCode, reply.json().code]).toEqual([502, 'chain_bad_response'])
})

const json =
  (value: unknown): Fault =>
  (response, { id }) =>
    void response.end(JSON.stringify(Object.assign({ jsonrpc: '2.0', id }, value)))
const status =
  (code: number, headers = {}): Fault =>
  (response) =>
    void response.writeHead(code, headers).end('{}')
const faults: [string, Fault, number, string][] = [
  ['HTML', (response) => void response.end('<html>'), 502, 'chain_bad_response'],
  ['broken JSON', (response) => void response.end('{"jsonrpc'), 502, 'chain_bad_response'],
  ['an empty answer', (response) => void response.end(), 502, 'chain_bad_response'],
  ['null', (response) => void response.end('null'), 502, 'chain_bad_response'],
  ['the answer to another question', json({ id: 77, result: '0x38' }), 502, 'chain_bad_response'],
  ['no result', json({}), 502, 'chain_bad_response'],
  ['a reset', (response) => void response.destroy(), 503, 'chain_unavailable'],
  ['HTTP 500', status(500), 503, 'chain_unavailable'],
  ['HTTP 403', status(403), 502, 'chain_request_refused'],
  ['HTTP 413', status(413), 502, 'chain_request_refused'],
  ['a redirect', status(307, { location: second.url }), 503, 'chain_unavailable'],
  ['a JSON-RPC error', json({ error: { code: -32603, message: 'internal' } }), 502, 'chain_request_refused'],
  ['a missing method', json({ error: { code: -32601, message: 'no such method' } }), 502, 'chain_method_missing'],
  ['invalid parameters', json({ error: { code: -32602, message: 'invalid' } }), 502, 'chain_request_refused'],
  ['HTTP 429', status(429, { 'retry-after': '3600' }), 503, 'chain_busy'],
  ['a limit in JSON-RPC', json({ error: { code: -32005, message: 'limit exceeded' } }), 503, 'chain_busy'],
  ['silence', () => timeouts.expire(node.url), 504, 'chain_timeout'],
  [
    'a body that stalls',
    (response) => {
      response.write('{"jsonrpc":')
      timeouts.expireBody(node.url)
    },
    504,
    'chain_timeout',
  ],
  [
    'a body that drips',
    (response) => {
      const timer = setInterval(() => response.write(' '), 1)
      response.on('close', () => clearInterval(timer))
      timeouts.expireBody(node.url)
    },
    504,
    'chain_timeout',
  ],
]

test.each(faults)('%s is a plain error, and a second node answers instead', async (_what, fault, code, name) => {
  node.fault = fault
  timeouts.asked.length = 0
  const reply = await readBalance()
  expect([reply.statusCode, reply.json().code]).toEqual([code, name])
  expect(reply.body).not.toMatch(/127\.0\.0\.1|key-abc123|eth_/)
  expect(Math.max(...timeouts.asked), 'never longer than the setting').toBeLessThanOrEqual(4000)
  if (name === 'chain_busy') expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  second.facts.balances.set(contract(1), 5n)
  expect((await readBalance(two)).json()).toMatchObject({ tokens: [{ tokenSymbol: 'ONE' }], partial: true })
})

const uintOf = (text: string) => `0x${text.padStart(64, '0')}`
test.each([
  ['0x', '0x'],
  ['short hexadecimal', '0x1234'],
  ['no rows', `${uintOf('20')}${'0'.repeat(64)}`],
  ['a number', 56],
])('an eth_call answered with %s is a bad answer', async (_what, result) => {
  await readBalance()
  node.fault = json({ result })
  const reply = await readBalance()
  expect([reply.statusCode, reply.json().code]).toEqual([502, 'chain_bad_response'])
})

test('a body over the limit is cut off', async () => {
  node.fault = (response) => void response.end(`"${'x'.repeat(21 * 1024 * 1024)}"`)
  expect((await readBalance()).statusCode).toBeGreaterThanOrEqual(502)
})

test('a node of another network is never believed, and the next one is asked', async () => {
  const wrong = await startFakeNode()
  wrong.facts.chainId = 97
  const lone = await startServer({ BSC_RPC_URLS: wrong.url })
  const reply = await readBalance(lone)
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'chain_wrong_network'])
  expect(wrong.calls.flat()).not.toContain('eth_call')
  await wrong.close()
})

test('a node that failed rests: the next balance does not wait for it again', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  node.fault = () => timeouts.expire(node.url)
  second.facts.balances.set(contract(1), 5n)
  await readBalance(two)
  node.calls.length = 0
  await readBalance(two)
  expect(node.calls).toEqual([])
})

test('simultaneous and repeated reads of a wallet within ten seconds are one call', async () => {
  holdClock()
  const wallet = newWallet()
  const replies = await Promise.all(Array.from({ length: 12 }, () => readBalance(server, wallet)))
  expect(new Set(replies.map((reply) => reply.body)).size).toBe(1)
  await readBalance(server, wallet.toUpperCase().replace('0X', '0x'))
  expect(node.calls.filter(([method]) => method === 'eth_call')).toHaveLength(1)
})

test('a failure is not kept: the next try asks again', async () => {
  const wallet = newWallet()
  node.fault = status(500)
  expect((await readBalance(server, wallet)).statusCode).toBe(503)
  node.fault = null
  expect((await readBalance(server, wallet)).statusCode).toBe(200)
})

test('an invalid address never reaches the node', async () => {
  const wrong = await readBalance(server, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')
  expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'invalid'])
  expect((await server.as(null)('GET', `/api/wallet-balance/${newWallet()}`)).statusCode).toBe(401)
  expect(node.calls).toEqual([])
})
