import { describe, expect, test } from 'vitest'
import { readRows, buildExpectedRows } from '#test/support/chain-reader.ts'
import { FakeChain, transfer } from '#test/support/fakes/fake-chain.ts'
import {
  gold,
  unit,
  ana,
  shop,
  registered,
  makeTransfers,
  countLogReads,
  setUpIndexing,
} from '#test/support/indexer-setup.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { world, node, reader, stopReader, mineSome, expectExact, health, events } = setUpIndexing(server)

test("members' transfers are read to the last digit, one row a log (product 12.2)", async () => {
  mineSome()
  const reads = await reader([await node()])
  await reads.read()
  await expectExact()
  const { transactions, total } = (await server.as('ada')('GET', '/api/blockchain-transactions?limit=1000')).json()
  expect(total).toBe((await readRows(server)).length)
  expect(transactions.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(
    buildExpectedRows(world.chain, registered)
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
    lagSeconds: expect.any(Number),
    backfilling: 0,
    providers: [{ isUp: true, serves: 'both' }],
  })
})

test('a pending transfer is completed as blocks come, also by another server', async () => {
  const started = await node()
  mineSome(10)
  const first = await reader([started])
  await first.read()
  await expectExact()
  expect((await readRows(server)).filter(({ status }) => status === 'pending').length).toBeGreaterThan(0)
  world.chain.mine(makeTransfers(11))
  await first.read()
  await expectExact()
  await stopReader(first)
  started.calls.length = 0
  mineSome(5)
  await (await reader([started])).read()
  await expectExact()
  expect(countLogReads(started.calls), 'two for each position, of each zone').toBeLessThanOrEqual(4)
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
  world.chain.mineEmpty(238)
  const reads = await reader([await node({ tagDepth: null })])
  await reads.read()
  await expectExact(world.chain.head - 240)
  expect(await health(reads)).toMatchObject({ indexedBlock: 4, headBlock: 244 })
})

test('a finalized tag that stands still holds nothing back that is 240 blocks deep', async () => {
  mineSome(6)
  world.chain.mineEmpty(294)
  const reads = await reader([await node({ tagDepth: 290 })])
  await reads.read()
  await expectExact(world.chain.head - 240)
  expect(await health(reads)).toMatchObject({ indexer: 'ok', indexedBlock: 60, headBlock: 300 })
})

describe('reorganisations', () => {
  test('a transfer three blocks deep is kept once if mined again, else failed', async () => {
    const started = await node({ tagDepth: 5 })
    mineSome(10)
    const [kept, moved, lost, late] = [1, 2, 3, 4].map((raw) =>
      transfer({ token: gold, from: shop, to: ana, raw: BigInt(raw) }),
    )
    world.chain.mine([kept!, moved!], [], [lost!, late!])
    const reads = await reader([started])
    await reads.read()
    await expectExact(world.chain.head - 5)
    world.chain.reorg(3, [moved!, kept!], [], [])
    await reads.read()
    expect((await readRows(server)).filter(({ status }) => status === 'failed')).toEqual([])
    world.chain.mine([])
    await reads.read()
    const gone = { status: 'failed', amountRaw: '3' }
    const rows = await readRows(server)
    expect(rows.filter(({ status }) => status === 'failed')).toMatchObject([gone, { ...gone, amountRaw: '4' }])
    expect(rows.filter(({ status }) => status !== 'failed')).toEqual(
      buildExpectedRows(world.chain, registered, world.chain.head - 5),
    )
    world.chain.mine([transfer({ token: unit, from: shop, to: shop, raw: 1n }), late!], [], [], [], [], [])
    await reads.read()
    const settled = await readRows(server)
    expect(settled.filter(({ status }) => status === 'failed')).toMatchObject([gone])
    expect(settled.filter(({ status }) => status !== 'failed')).toEqual(
      buildExpectedRows(world.chain, registered, world.chain.head - 5),
    )
  })

  test('a node that lacks the newest blocks is not taken for a reorganisation', async () => {
    const started = await node({ tagDepth: 5 })
    mineSome(10)
    world.chain.mine(makeTransfers(11), makeTransfers(13))
    const reads = await reader([started])
    await reads.read()
    started.is.lag = 2
    await reads.read()
    await expectExact(world.chain.head - 5)
    started.is.lag = 0
    world.chain.reorg(2, [], makeTransfers(14))
    await reads.read()
    world.chain.mine([])
    await reads.read()
    const rows = await readRows(server)
    expect(rows.filter(({ status }) => status !== 'failed')).toEqual(
      buildExpectedRows(world.chain, registered, world.chain.head - 5),
    )
    expect(rows.filter(({ status }) => status === 'failed')).toHaveLength(8)
  })

  test('a reorganisation below the final block halts reading and deletes nothing', async () => {
    const started = await node()
    mineSome(12)
    const reads = await reader([started])
    await reads.read()
    const before = await readRows(server)
    const blocks = [...world.chain.blocks]
    world.chain.reorg(6, [], [], [], [], [], [], [], [])
    await reads.read()
    await reads.read()
    expect(await readRows(server)).toEqual(before)
    expect(await health(reads)).toMatchObject({ indexer: 'halted', problem: expect.stringContaining('block 10') })
    expect(await events()).toEqual(['chain_indexer_halted'])
    world.chain.blocks.splice(0, Infinity, ...blocks)
    world.chain.mine(makeTransfers(40))
    await reads.read()
    await expectExact()
    expect((await health(reads)).indexer).toBe('ok')
    expect(await events()).toHaveLength(1)
  })

  test('a node that is behind is not a reorganisation, a shorter chain is', async () => {
    const started = await node()
    mineSome(12)
    const reads = await reader([started])
    await reads.read()
    started.is.lag = 5
    await reads.read()
    expect(await health(reads)).toMatchObject({
      indexer: 'retrying',
      problem: expect.stringContaining('ends at block 7'),
    })
    // After an outage it is as new.
    await server.sql(
      `UPDATE chain_cursors SET failing_since = now() - interval '1 hour', problem_code = 'chain_unavailable'`,
    )
    await reads.read()
    expect((await health(reads)).indexer).not.toBe('halted')
    await server.sql(`UPDATE chain_cursors SET failing_since = now() - interval '3 minutes'`)
    await reads.read()
    expect((await health(reads)).indexer).toBe('halted')
    expect(await events()).toEqual(['chain_indexer_halted'])
    started.is.lag = 0
    await reads.read()
    expect((await health(reads)).indexer).toBe('ok')
    await expectExact()
  })

  test('the console’s own chain made again is read again (product 13.4)', async () => {
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
    fresh.mine(makeTransfers(1), [], makeTransfers(2), [])
    world.chain.blocks.splice(0, Infinity, ...fresh.blocks)
    await reads.read()
    await expectExact()
    expect(await events()).toEqual([])
  })
})
