import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ChainHealth } from '#contract/chain.ts'
import {
  forgetAll,
  type Reader,
  registerTokens,
  registerWallets,
  rowsOf,
  rowsOfChain,
  startReader,
} from '#test/chain-reading.ts'
import { type Behaviour, FakeChain, startFakeChainNode, transfer } from '#test/fakes/fake-chain.ts'
import { makeChainTransaction } from '#test/make.ts'
import { listNotices } from '#server/features/notices/service.ts'
import { platformKey, startServer } from '#test/server.ts'
import { Raced } from './cursor.ts'
import { Indexer } from './indexer.ts'
import { chainHealth } from './service.ts'

const server = await startServer()
const address = (digit: string, n: number) => `0x${n.toString(16).padStart(40, digit)}`
const [gold, unit, other] = [address('c', 1), address('c', 2), address('c', 3)]
const [ana, bob, shop] = [address('a', 1), address('a', 2), address('e', 1)]
const known = { tokens: { [gold]: 18, [unit]: 0 }, wallets: [ana, bob] }

let chain: FakeChain
let readers: Reader[] = []

beforeEach(async () => {
  await forgetAll(server)
  chain = new FakeChain()
  await registerTokens(server, { address: gold, decimals: 18 }, { address: unit, decimals: 0 })
  await registerWallets(server, ana, bob)
})
afterEach(async () => {
  for (const reader of readers) await reader.stop()
  readers = []
})

async function node(behaviour: Partial<Behaviour> = {}) {
  const started = await startFakeChainNode(chain, behaviour)
  onTestFinished(() => started.close())
  return started
}
async function reader(...given: Parameters<typeof startReader> extends [unknown, ...infer Rest] ? Rest : never) {
  const started = await startReader(server, ...given)
  readers.push(started)
  return started
}
const stopReader = async (stopped: Reader) => {
  readers = readers.filter((each) => each !== stopped)
  await stopped.stop()
}

/** Some of every kind: in, out, between members, of nobody's, of no registered token, several in one transaction. */
function someTransfers(n: number) {
  const one = transfer({ token: gold, from: shop, to: ana, raw: BigInt(n) * 10n ** 17n + 1n })
  return [
    one,
    { ...one, to: bob, raw: BigInt(n) },
    transfer({ token: unit, from: bob, to: shop, raw: BigInt(n) }),
    transfer({ token: unit, from: ana, to: bob, raw: 7n }),
    transfer({ token: gold, from: shop, to: shop, raw: 9n }),
    transfer({ token: other, from: shop, to: ana, raw: 9n }),
  ]
}
function mineSome(blocks = 30) {
  for (let n = 1; n <= blocks; n++) chain.mine(n % 3 === 0 ? [] : someTransfers(n))
}
const expectExact = async (final = chain.head - 2) => {
  expect(await rowsOf(server)).toEqual(rowsOfChain(chain, known, final))
}
const health = (of: Reader): Promise<ChainHealth> => chainHealth(of.ctx)
const events = async () =>
  (await server.sql<{ type: string }>('SELECT event_type AS type FROM security_events ORDER BY id')).map(
    ({ type }) => type,
  )
const transfersIn = (calls: string[][]) => calls.flat().filter((method) => method === 'eth_getLogs').length

test('SPEC 3: transfers of members are read to the last digit, one row a log, with the block’s time; others are not', async () => {
  mineSome()
  const reads = await reader([await node()])
  await reads.read()
  await expectExact()
  const { transactions, total } = (await server.as('ada')('GET', '/api/blockchain-transactions?limit=1000')).json()
  expect(total).toBe((await rowsOf(server)).length)
  expect(transactions.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(
    rowsOfChain(chain, known)
      .map(({ at }) => new Date(at * 1000).toISOString())
      .toReversed(),
  )
  expect(await health(reads)).toMatchObject({
    mode: 'rpc',
    network: 'BNB Smart Chain',
    indexer: 'ok',
    problem: null,
    headBlock: 30,
    indexedBlock: 28,
    lagBlocks: 2,
    lagSeconds: 6,
    backfilling: 0,
    providers: [{ isUp: true, serves: 'both' }],
  })
})

test('what is not final is pending; it is completed as blocks come, and read on from where it stood by another server', async () => {
  const started = await node()
  mineSome(10)
  const first = await reader([started])
  await first.read()
  await expectExact()
  expect((await rowsOf(server)).filter(({ status }) => status === 'pending').length).toBeGreaterThan(0)
  chain.mine(someTransfers(11))
  await first.read()
  await expectExact()
  await stopReader(first)
  started.calls.length = 0
  mineSome(5)
  await (await reader([started])).read()
  await expectExact()
  expect(transfersIn(started.calls), 'two for each position, of each zone').toBeLessThanOrEqual(4)
})

test('an idle chain costs one call, and its rows are not touched', async () => {
  const started = await node()
  mineSome(10)
  const reads = await reader([started])
  await reads.read()
  const before = await server.sql('SELECT xmin, * FROM chain_transactions ORDER BY id')
  started.calls.length = 0
  await reads.read()
  expect(started.calls).toEqual([['eth_getBlockByNumber', 'eth_getBlockByNumber', 'eth_getBlockByNumber']])
  expect(await server.sql('SELECT xmin, * FROM chain_transactions ORDER BY id')).toEqual(before)
})

test('without the finalized tag nothing is final that is less than 240 blocks deep', async () => {
  mineSome(6)
  chain.mineEmpty(238)
  const reads = await reader([await node({ tagDepth: null })])
  await reads.read()
  await expectExact(chain.head - 240)
  expect(await health(reads)).toMatchObject({ indexedBlock: 4, headBlock: 244 })
})

describe('reorganisations', () => {
  test('three blocks deep: what was mined again elsewhere stands once, what was not has failed', async () => {
    const started = await node({ tagDepth: 5 })
    mineSome(10)
    const [kept, moved, lost, late] = [1, 2, 3, 4].map((raw) =>
      transfer({ token: gold, from: shop, to: ana, raw: BigInt(raw) }),
    )
    chain.mine([kept!, moved!], [], [lost!, late!])
    const reads = await reader([started])
    await reads.read()
    await expectExact(chain.head - 5)
    chain.reorg(3, [moved!, kept!], [], [])
    await reads.read()
    const gone = { status: 'failed', amountRaw: '3' }
    const rows = await rowsOf(server)
    expect(rows.filter(({ status }) => status === 'failed')).toMatchObject([gone, { ...gone, amountRaw: '4' }])
    expect(rows.filter(({ status }) => status !== 'failed')).toEqual(rowsOfChain(chain, known, chain.head - 5))
    chain.mine([transfer({ token: unit, from: shop, to: shop, raw: 1n }), late!], [], [], [], [], [])
    await reads.read()
    const settled = await rowsOf(server)
    expect(settled.filter(({ status }) => status === 'failed')).toMatchObject([gone])
    expect(settled.filter(({ status }) => status !== 'failed')).toEqual(rowsOfChain(chain, known, chain.head - 5))
  })

  test('deeper than what was final: it halts with a critical event and deletes nothing, and goes on when that chain is back', async () => {
    const started = await node()
    mineSome(12)
    const reads = await reader([started])
    await reads.read()
    const before = await rowsOf(server)
    const blocks = [...chain.blocks]
    chain.reorg(6, [], [], [], [], [], [], [], [])
    await reads.read()
    await reads.read()
    expect(await rowsOf(server)).toEqual(before)
    expect(await health(reads)).toMatchObject({ indexer: 'halted', problem: expect.stringContaining('block 10') })
    expect(await events()).toEqual(['chain_indexer_halted'])
    chain.blocks.splice(0, Infinity, ...blocks)
    chain.mine(someTransfers(40))
    await reads.read()
    await expectExact()
    expect((await health(reads)).indexer).toBe('ok')
    expect(await events()).toHaveLength(1)
  })

  test('a node that is merely behind is no reorganisation; a chain that stays shorter halts', async () => {
    const started = await node()
    mineSome(12)
    const reads = await reader([started])
    await reads.read()
    started.is.lag = 5
    await reads.read()
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: expect.stringContaining('ends at block 7') })
    await server.sql(`UPDATE chain_cursors SET failing_since = now() - interval '3 minutes'`)
    await reads.read()
    expect((await health(reads)).indexer).toBe('halted')
    expect(await events()).toEqual(['chain_indexer_halted'])
    started.is.lag = 0
    await reads.read()
    expect((await health(reads)).indexer).toBe('ok')
    await expectExact()
  })

  test('PRODUCT 6: the console’s own chain made anew is read anew', async () => {
    mineSome(10)
    const started = await node({ chainId: 1337 })
    let url: string | undefined
    const reads = await reader([], { embeddedUrl: () => url })
    await reads.read()
    expect((await health(reads)).indexer).toBe('starting')
    url = started.url
    await reads.read()
    await expectExact()
    const fresh = new FakeChain()
    fresh.mine(someTransfers(1), [], someTransfers(2), [])
    chain.blocks.splice(0, Infinity, ...fresh.blocks)
    await reads.read()
    await expectExact()
    expect(await events()).toEqual([])
  })
})

describe('nodes with limits and faults', () => {
  test.each([
    ['500 blocks an answer', { mostBlocks: 500 }, 1200],
    ['10 blocks an answer', { mostBlocks: 10 }, 120],
    ['60 logs an answer', { mostLogs: 60 }, 400],
    ['a single log an answer', { mostLogs: 1 }, 40],
    ['no time beside its logs', { isWithoutTimes: true }, 150],
  ])('%s', async (_what, behaviour, blocks) => {
    mineSome(blocks)
    const started = await node(behaviour)
    await (await reader([started])).read()
    await expectExact()
    if ('mostBlocks' in behaviour)
      expect(transfersIn(started.calls)).toBeLessThan((4 * blocks) / behaviour.mostBlocks + 40)
  })

  test('a node that lacks the newest blocks answers their logs with none: nothing is lost by it', async () => {
    mineSome(40)
    const [behind, whole] = [await node({ lag: 9 }), await node()]
    const reads = await reader([behind, whole])
    for (let n = 0; n < 8; n++) {
      await reads.read()
      chain.mine(someTransfers(n), someTransfers(n + 1))
      behind.is.lag = (n * 5) % 12
    }
    behind.is.lag = 0
    await reads.read()
    await expectExact()
  })

  test('a node that dies midway: another goes on, and without one all is read once it is back', async () => {
    mineSome(60)
    const [dying, second] = [await node({ mostBlocks: 5, diesAfter: 9 }), await node({ mostBlocks: 5, diesAfter: 4 })]
    const reads = await reader([dying, second])
    await reads.read()
    const so = await rowsOf(server)
    expect(so.length).toBeGreaterThan(0)
    expect(so).toEqual(rowsOfChain(chain, known).slice(0, so.length))
    second.is.diesAfter = Infinity
    await reads.read()
    await expectExact()
    const { providers, problem } = await health(reads)
    expect([providers.map(({ isUp }) => isUp), problem]).toEqual([[false, true], null])
  })

  test.each<[string, Partial<Behaviour>]>([
    ['HTML', { fault: (response) => void response.end('<html>') }],
    ['HTTP 500', { fault: (response) => void response.writeHead(500).end() }],
    ['silence', { fault: () => {} }],
    ['another chain', { chainId: 97 }],
    [
      'no logs at all',
      {
        fault: (response, methods) =>
          void response.end(
            JSON.stringify(
              methods.map((_, id) => ({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } })),
            ),
          ),
      },
    ],
    ['logs of other blocks', { alters: (logs) => logs.map((log) => ({ ...log, blockNumber: '0x63' })) }],
    ['logs of another fork', { alters: (logs) => logs.map((log) => ({ ...log, blockHash: `0x${'7'.repeat(64)}` })) }],
    ['logs of other tokens', { alters: (logs) => logs.map((log) => ({ ...log, address: other })) }],
    ['the same logs twice', { alters: (logs) => [...logs, ...logs] }],
    ['logs that were taken back', { alters: (logs) => logs.map((log) => ({ ...log, removed: true })) }],
    ['logs that are none', { alters: (logs) => logs.map(() => ({ data: '0x' })) }],
  ])('one that answers with %s: the next one is asked, and alone it is told without its address', async (_what, is) => {
    mineSome(12)
    const bad = await node(is)
    const alone = await reader([bad])
    await alone.read()
    const { indexer, problem } = await health(alone)
    expect(['starting', 'behind', 'ok']).toContain(indexer)
    expect(await rowsOf(server)).toEqual([])
    expect(problem).toMatch(/\w/)
    expect(problem).not.toMatch(/127\.0\.0\.1|key-abc123/)
    await stopReader(alone)
    await (await reader([bad, await node()])).read()
    await expectExact()
  })

  test('logs that a node has left out are found when the last day is read again, once a day', async () => {
    mineSome(30)
    const started = await node({ omits: ({ raw }) => raw === 7n })
    const reads = await reader([started])
    await reads.read()
    const all = rowsOfChain(chain, known)
    expect(await rowsOf(server)).toEqual(all.filter(({ amountRaw }) => amountRaw !== '7'))
    started.is.omits = () => false
    chain.mineEmpty(2)
    await reads.read()
    expect(await rowsOf(server)).not.toEqual(rowsOfChain(chain, known))
    await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '25 hours'`)
    await reads.read()
    await expectExact()
    started.calls.length = 0
    await reads.read()
    expect(transfersIn(started.calls)).toBe(0)
  })
})

describe('tokens and wallets', () => {
  test('that come later are read from the start: the same as from scratch, and rows already there are put right', async () => {
    await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
    await server.sql('DELETE FROM tokens WHERE contract_address = $1', [unit])
    mineSome(40)
    const started = await node({ mostBlocks: 15 })
    const reads = await reader([started])
    await reads.read()
    const few = { tokens: { [gold]: 18 }, wallets: [ana] }
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, few))
    await registerTokens(server, { address: unit, decimals: 0 })
    chain.mine(someTransfers(50))
    await reads.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, { ...few, tokens: known.tokens }))
    await registerWallets(server, bob)
    await reads.read()
    await expectExact()
    expect((await health(reads)).backfilling).toBe(0)
    started.calls.length = 0
    chain.mine([])
    await reads.read()
    expect(transfersIn(started.calls), 'nothing is read again').toBeLessThanOrEqual(4)
  })

  test('a start block set lower brings in what came before it', async () => {
    mineSome(30)
    const started = await node()
    const late = await reader([started], { environment: { INDEXER_START_BLOCK: '20' } })
    await late.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, known).filter(({ blockNumber }) => blockNumber >= 20))
    await stopReader(late)
    await (await reader([started], { environment: { INDEXER_START_BLOCK: '5' } })).read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, known).filter(({ blockNumber }) => blockNumber >= 5))
  })

  test('PRODUCT 7: without a start block reading begins at the head, and one ahead of the chain is told', async () => {
    mineSome(20)
    const started = await node()
    const ahead = await reader([started], { environment: { INDEXER_START_BLOCK: '500' } })
    await ahead.read()
    expect((await health(ahead)).problem).toContain('INDEXER_START_BLOCK')
    await stopReader(ahead)
    const reads = await reader([started], { environment: { INDEXER_START_BLOCK: '' } })
    await reads.read()
    chain.mine(someTransfers(1), [], [])
    await reads.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, known).filter(({ blockNumber }) => blockNumber > 18))
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null })
  })

  test('many wallets are asked for by token alone; a node that refuses even one block of that is asked in parts', async () => {
    const crowd = Array.from({ length: 60 }, (_, n) => address('b', n))
    await registerWallets(server, ...crowd)
    mineSome(10)
    chain.mine(crowd.map((to) => transfer({ token: gold, from: shop, to, raw: 3n })))
    chain.mineEmpty(3)
    const environment = { INDEXER_TOPIC_CHUNK: '4' }
    const started = await node({ mostLogs: 8 })
    await (await reader([started], { environment })).read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, { ...known, wallets: [...known.wallets, ...crowd] }))
  })

  test('PRODUCT 5.1: tens of thousands of wallets, one that stands behind later ones, and one that goes', async () => {
    const last = `0x${(21_000).toString(16).padStart(40, '0')}`
    const [early, gone] = [address('b', 1), ana]
    const [owner] = await server.sql<{ id: string }>('SELECT id FROM members')
    await server.sql(
      `INSERT INTO wallets (member_id, address) SELECT $1, '0x' || lpad(to_hex(n), 40, '0') FROM generate_series(1, 21000) n`,
      [owner!.id],
    )
    const received = (n: number) =>
      [last, early, gone, `0x${n.toString(16).padStart(40, '0')}`].map((to) =>
        transfer({ token: gold, from: shop, to, raw: BigInt(n) }),
      )
    for (let n = 1; n < 12; n++) chain.mine(received(n * 1900))
    const crowd = Array.from({ length: 12 }, (_, n) => `0x${(n * 1900).toString(16).padStart(40, '0')}`)
    const wallets = [last, gone, `0x${'7'.padStart(40, '0')}`, ...crowd]
    const reads = await reader([await node()])
    await reads.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, { ...known, wallets }))
    await server.sql(
      'INSERT INTO wallets (id, member_id, address) OVERRIDING SYSTEM VALUE VALUES (-1 + (SELECT min(id) FROM wallets), $1, $2)',
      [owner!.id, early],
    )
    await reads.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, { ...known, wallets: [...wallets, early] }))
    await server.sql('DELETE FROM wallets WHERE address = $1', [gone])
    chain.mine(received(7), [], [])
    await reads.read()
    const after = rowsOfChain(chain, { ...known, wallets: [...wallets, early] })
    expect(await rowsOf(server)).toEqual(after.filter(({ to, blockNumber }) => to !== gone || blockNumber <= 9))
  })

  test('PRODUCT 3.14: decimals that are put right put its amounts right, to the last digit', async () => {
    mineSome(20)
    const reads = await reader([await node()])
    await reads.read()
    const put = (decimals: number) =>
      server.app.inject({
        method: 'PUT',
        url: `/api/platform/v1/tokens/earning/${gold}`,
        headers: { authorization: `Bearer ${platformKey}` },
        payload: { projectName: 'Gold', tokenSymbol: 'GOLD', decimals },
      })
    expect((await put(6)).statusCode).toBe(200)
    const six = { ...known, tokens: { ...known.tokens, [gold]: 6 } }
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, six))
    chain.mine(someTransfers(50), [], [])
    await reads.read()
    expect(await rowsOf(server)).toEqual(rowsOfChain(chain, six))
  })

  test('an address that is none does not stop the others', async () => {
    await server.sql('ALTER TABLE tokens DROP CONSTRAINT tokens_address_form')
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol) VALUES ('earning', 'x', 'Bad', '0xnone', 'BAD')`,
    )
    mineSome(10)
    await (await reader([await node()])).read()
    await expectExact()
  })

  test('transfers of more than an amount may be are left out, not the others of their block', async () => {
    const most = transfer({ token: unit, from: shop, to: ana, raw: 10n ** 60n - 1n })
    chain.mine([transfer({ token: unit, from: shop, to: ana, raw: 10n ** 60n }), most], [], [])
    await (await reader([await node()])).read()
    expect(await rowsOf(server)).toMatchObject([{ transactionHash: most.hash, amount: '9'.repeat(60), logIndex: 1 }])
  })
})

describe('beside imports and other servers', () => {
  test('PRODUCT 4: an imported row gives way to the chain’s own, and never the reverse', async () => {
    mineSome(6)
    const [between, incoming] = [
      rowsOfChain(chain, known).find((row) => row.transactionType === 'other')!,
      rowsOfChain(chain, known)[0]!,
    ]
    for (const { transactionHash, logIndex, to, from } of [between, incoming])
      for (const wallet of [to, from])
        await makeChainTransaction(server, wallet, { transactionHash, logIndex, amount: '99', isImported: true })
    const kept = await makeChainTransaction(server, ana, { isImported: true })
    await (await reader([await node()])).read()
    await expectExact()
    const imported = await server.sql('SELECT id::text FROM chain_transactions WHERE is_imported')
    expect(imported).toEqual([{ id: kept.id }])
    const volume = await server.as('ada')('GET', '/api/blockchain-transactions/figures')
    expect(volume.json().total).toBe((await rowsOf(server)).length + 1)
    const line = {
      type: 'chainTransaction',
      transactionHash: between.transactionHash,
      logIndex: between.logIndex,
      walletAddress: between.to,
      transactionType: 'deposit',
      tokenAddress: between.tokenAddress,
      amount: between.amount,
      status: 'completed',
      createdAt: new Date(between.at * 1000).toISOString(),
    }
    const same = { ...line, walletAddress: between.from, transactionType: 'other' }
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/platform/v1/import',
      headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/x-ndjson' },
      payload: `${JSON.stringify(line)}\n${JSON.stringify(same)}\n`,
    })
    expect(reply.json()).toMatchObject({ created: 0, unchanged: 1, refused: 1, errors: [{ line: 1 }] })
    await expectExact()
  })

  test('PRODUCT 5.3: of two servers at once one reads; when it ends the other goes on', async () => {
    mineSome(20)
    const started = await node({ mostBlocks: 5 })
    const [one, two] = [await reader([started]), await reader([started])]
    const first = one.read()
    await vi.waitUntil(() => started.calls.length > 0, { interval: 1 })
    await Promise.all([first, two.read()])
    await expectExact()
    expect(two.ctx.chain.logNodes.calls(), 'the second has asked for nothing').toBe(0)
    chain.mine(someTransfers(30))
    await stopReader(one)
    await two.read()
    await expectExact()
  })

  test('two that read at once, as when a lock was lost unnoticed, leave every transfer once', async () => {
    mineSome(60)
    const started = await node({ mostBlocks: 4 })
    const both = [await reader([started]), await reader([started])]
    const turns = both.map(async ({ ctx }) => {
      const indexer = new Indexer(ctx)
      const stop = new AbortController().signal
      for (let more = true; more;)
        more = await indexer.turn(ctx, stop).catch((error: unknown) => {
          if (error instanceof Raced) return true
          throw error
        })
    })
    await Promise.all(turns)
    await expectExact()
  })
})

describe('PRODUCT 5.4: a stall', () => {
  test('is told once, as an event and as a notice, and its notice goes when the chain is read again', async () => {
    mineSome(5)
    const started = await node()
    const reads = await reader([started])
    await reads.read()
    started.is.fault = (response) => void response.writeHead(503).end()
    const idle = await reader([started])
    await reads.read()
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: 'The blockchain cannot be reached' })
    expect(await listNotices(reads.ctx)).toEqual([])
    await server.sql(`UPDATE chain_cursors SET failing_since = now() - interval '3 minutes'`)
    await reads.read()
    await reads.read()
    await idle.read()
    expect(await events()).toEqual(['chain_indexer_stalled'])
    for (const each of [reads, idle]) expect((await health(each)).indexer).toBe('stalled')
    expect(await listNotices(reads.ctx)).toEqual([{ kind: 'chain_unread', count: 1 }])
    started.is.fault = null
    await reads.read()
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null })
    expect(await listNotices(reads.ctx)).toEqual([])
    await expectExact()
  })
})

test('GET /api/chain/health says “off” where no chain is read, and nothing to a visitor', async () => {
  expect((await server.as('ada')('GET', '/api/chain/health')).json()).toMatchObject({
    mode: 'off',
    network: null,
    indexer: 'off',
    providers: [],
  })
  expect((await server.as(null)('GET', '/api/chain/health')).statusCode).toBe(401)
  const off = await reader([await node()], { environment: { INDEXER: 'off' } })
  await off.read()
  expect(await health(off)).toMatchObject({ mode: 'rpc', indexer: 'off', checkedAt: null })
})
