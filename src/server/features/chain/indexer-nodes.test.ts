import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { registerWallets, readRows, buildExpectedRows } from '#test/support/chain-reader.ts'
import type { Behaviour } from '#test/support/fakes/fake-chain.ts'
import { holdTimeouts } from '#test/support/held-timeouts.ts'
import {
  bob,
  other,
  registered,
  makeTransfers,
  countLogReads,
  setUpIndexing,
  readNotices,
} from '#test/support/indexer-setup.ts'
import { startServer } from '#test/support/server.ts'

const limits = holdTimeouts()
const server = await startServer()
const { world, node, reader, stopReader, mineSome, expectExact, health, events } = setUpIndexing(server)

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
      expect(countLogReads(started.calls)).toBeLessThan((4 * blocks) / behaviour.mostBlocks + 40)
  })

  test('a node that lacks the newest blocks loses no transfers', async () => {
    mineSome(40)
    const [behind, whole] = [await node({ lag: 9 }), await node()]
    const reads = await reader([behind, whole])
    for (let n = 0; n < 8; n++) {
      await reads.read()
      world.chain.mine(makeTransfers(n), makeTransfers(n + 1))
      behind.is.lag = (n * 5) % 12
    }
    behind.is.lag = 0
    await reads.read()
    await expectExact()
  })

  test('a node that dies midway is replaced by another', async () => {
    mineSome(60)
    const [dying, second] = [await node({ mostBlocks: 5, diesAfter: 9 }), await node({ mostBlocks: 5, diesAfter: 4 })]
    const reads = await reader([dying, second])
    await reads.read()
    const so = await readRows(server)
    expect(so.length).toBeGreaterThan(0)
    expect(so).toEqual(buildExpectedRows(world.chain, registered).slice(0, so.length))
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
    [
      'words that a contract’s failure has too',
      {
        fault: (response, methods) =>
          void response.end(
            JSON.stringify(
              methods.map((_, id) => ({
                jsonrpc: '2.0',
                id,
                error: { code: -32000, message: 'memory limit exceeded' },
              })),
            ),
          ),
      },
    ],
    ['logs of other tokens', { alters: (logs) => logs.map((log) => ({ ...log, address: other })) }],
    ['the same logs twice', { alters: (logs) => [...logs, ...logs] }],
    ['logs that were taken back', { alters: (logs) => logs.map((log) => ({ ...log, removed: true })) }],
    ['logs that are none', { alters: (logs) => logs.map(() => ({ data: '0x' })) }],
  ])('one that answers with %s is passed over', async (what, is) => {
    mineSome(12)
    const bad = await node(is)
    // Its silence has lasted as long as it may.
    if (what === 'silence') bad.is.fault = () => limits.expire(bad.url)
    const alone = await reader([bad])
    await alone.read()
    const { indexer, problem } = await health(alone)
    expect(['starting', 'behind', 'retrying']).toContain(indexer)
    expect(await readRows(server)).toEqual([])
    expect(problem).toMatch(/\w/)
    expect(problem).not.toMatch(/127\.0\.0\.1|key-abc123/)
    await stopReader(alone)
    await (await reader([bad, await node()])).read()
    await expectExact()
  })

  test('omitted logs are found when the last day is read again, once a day', async () => {
    mineSome(30)
    const started = await node({ omits: ({ raw }) => raw === 7n })
    const reads = await reader([started])
    await reads.read()
    const all = buildExpectedRows(world.chain, registered)
    expect(await readRows(server)).toEqual(all.filter(({ amountRaw }) => amountRaw !== '7'))
    world.chain.mineEmpty(200)
    await reads.read()
    started.is.omits = () => false
    world.chain.mineEmpty(2)
    await reads.read()
    expect(await readRows(server)).not.toEqual(buildExpectedRows(world.chain, registered))
    await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '25 hours'`)
    await reads.read()
    await expectExact()
    started.calls.length = 0
    await reads.read()
    expect(countLogReads(started.calls)).toBe(0)
  })
})

describe('a stall (product 3.6)', () => {
  test('of what came late alone is told once too: its node keeps no history', async () => {
    await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
    mineSome(30)
    const started = await node()
    const reads = await reader([started])
    await reads.read()
    await registerWallets(server, bob)
    started.is.keepsFrom = 29
    await reads.read()
    expect(await events()).toEqual([])
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 180_000)
    onTestFinished(() => {
      clock.mockRestore()
    })
    await reads.read()
    await reads.read()
    expect(await events()).toEqual(['chain_history_unread'])
    started.is.keepsFrom = 0
    await reads.read()
    await expectExact()
  })

  test('a failure is reported once, by an event and a notice that ends with it', async () => {
    mineSome(5)
    const started = await node()
    const reads = await reader([started])
    await reads.read()
    started.is.fault = (response) => void response.writeHead(503).end()
    const idle = await reader([started])
    await reads.read()
    expect(await health(reads)).toMatchObject({
      indexer: 'retrying',
      problem: 'The blockchain cannot be reached',
      providers: [{ isUp: false, problem: 'unavailable' }],
    })
    expect(await readNotices(reads.ctx)).toEqual([])
    await server.sql(`UPDATE chain_cursors SET failing_since = now() - interval '3 minutes'`)
    await reads.read()
    await reads.read()
    await idle.read()
    expect(await events()).toEqual(['chain_indexer_stalled'])
    for (const each of [reads, idle]) expect((await health(each)).indexer).toBe('stalled')
    expect(await readNotices(reads.ctx)).toEqual([{ kind: 'chain_unread', count: 1 }])
    started.is.fault = null
    await reads.read()
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null })
    expect(await readNotices(reads.ctx)).toEqual([])
    await expectExact()
  })
})

test.each<[string, Partial<Behaviour>]>([
  ['1970', { alters: (logs) => logs.map((log) => ({ ...log, blockTimestamp: '0x0' })) }],
  ['the far future', { alters: (logs) => logs.map((log) => ({ ...log, blockTimestamp: '0xffffffffff' })) }],
  [
    'times that fall as blocks rise',
    { alters: (logs) => logs.map((log, n) => ({ ...log, blockTimestamp: `0x${(1_700_000_000 - n).toString(16)}` })) },
  ],
])('logs of %s get their date from the headers', async (_what, is) => {
  mineSome(12)
  await (await reader([await node(is)])).read()
  await expectExact()
})

test('a wrong date is put right when the last day is read again', async () => {
  mineSome(12)
  const reads = await reader([await node()])
  await reads.read()
  await server.sql(`UPDATE chain_transactions SET created_at = '1970-01-01Z'`)
  await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '25 hours'`)
  world.chain.mineEmpty(1)
  await reads.read()
  await expectExact()
})

test("logs of a machine that is behind its sibling's headers lose nothing", async () => {
  mineSome(20)
  const started = await node({ logsLag: 6 })
  const reads = await reader([started])
  for (let n = 0; n < 8; n++) {
    await reads.read()
    world.chain.mine(makeTransfers(n), makeTransfers(n + 1))
    started.is.logsLag = (n * 5) % 12
  }
  started.is.logsLag = 0
  await reads.read()
  await expectExact()
})

test('a node that serves another chain is passed over, also for a backfill', async () => {
  await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
  mineSome(30)
  const changing = await node()
  const reads = await reader([changing])
  await reads.read()
  await registerWallets(server, bob)
  changing.is.chainId = 97
  changing.is.alters = (logs) => logs.map((log) => ({ ...log, data: `0x${'9'.padStart(64, '0')}` }))
  changing.is.fork = 'another'
  world.chain.mineEmpty(1)
  await reads.read()
  expect(await health(reads)).toMatchObject({
    indexer: 'retrying',
    problem: 'The configured node serves another network',
    providers: [{ problem: 'wrong_network' }],
  })
  expect(await events()).toEqual([])
  const sound = await reader([changing, await node()])
  await stopReader(reads)
  await sound.read()
  await expectExact()
})

test('GET /api/chain/health says “off” where no chain is read', async () => {
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
