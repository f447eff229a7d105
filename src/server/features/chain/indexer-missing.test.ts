import { beforeEach, expect, test } from 'vitest'
import { readRows } from '#test/support/chain-reader.ts'
import { type FakeTransfer, transfer } from '#test/support/fakes/fake-chain.ts'
import { ana, gold, setUpIndexing, shop, unit } from '#test/support/indexer-setup.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { world, node, reader, expectExact } = setUpIndexing(server)

let paid: FakeTransfer
beforeEach(() => {
  paid = transfer({ token: gold, from: shop, to: ana, raw: 5n })
  world.chain.mineEmpty(8)
  world.chain.mine([paid])
})
const states = async () => (await readRows(server)).map(({ status }) => status)

test('a mined transfer whose log a node leaves out is completed, never failed', async () => {
  const started = await node({ tagDepth: 5 })
  const reads = await reader([started])
  await reads.read()
  expect(await states()).toEqual(['pending'])
  started.is.omits = () => true
  for (let n = 0; n < 8; n++) {
    world.chain.mine([])
    await reads.read()
    expect(await states()).toEqual([n < 4 ? 'pending' : 'completed'])
  }
  await expectExact(world.chain.head - 5)
})

test('one log of two that a node leaves out stays, beside the other of its transaction', async () => {
  world.chain.mine([paid, { ...paid, token: unit, raw: 6n }].map((each) => ({ ...each, hash: `0x${'7'.repeat(64)}` })))
  const started = await node({ tagDepth: 5 })
  const reads = await reader([started])
  await reads.read()
  started.is.omits = ({ raw }) => raw === 6n
  for (let n = 0; n < 8; n++) {
    world.chain.mine([])
    await reads.read()
  }
  await expectExact(world.chain.head - 5)
})

test('a transaction that is mined again but fails has failed, as its receipt says', async () => {
  const started = await node({ tagDepth: 5 })
  const reads = await reader([started])
  await reads.read()
  world.chain.reorg(1, [{ ...paid, isReverted: true }], [])
  await reads.read()
  expect(await states()).toEqual(['failed'])
})

test('a transaction that waits to be mined again stays pending', async () => {
  const started = await node({ tagDepth: 5 })
  const reads = await reader([started])
  await reads.read()
  world.chain.waiting.add(paid.hash)
  world.chain.reorg(1, [], [])
  for (let n = 0; n < 10; n++) {
    await reads.read()
    world.chain.mine([])
  }
  expect(await states()).toEqual(['pending'])
  world.chain.mine([paid])
  await reads.read()
  await expectExact(world.chain.head - 5)
})

test('a transaction that no node knows has failed at the second head, not at the first', async () => {
  const reads = await reader([await node({ tagDepth: 5 }), await node({ tagDepth: 5 })])
  await reads.read()
  world.chain.reorg(1, [], [])
  await reads.read()
  await reads.read()
  expect(await states()).toEqual(['pending'])
  world.chain.mine([])
  await reads.read()
  expect(await states()).toEqual(['failed'])
})

test('a transaction that one of two nodes knows stays pending', async () => {
  const forgetful = await node({ tagDepth: 5 })
  const reads = await reader([forgetful, await node({ tagDepth: 5 })])
  await reads.read()
  Object.assign(forgetful.is, { omits: () => true, forgets: true })
  for (let n = 0; n < 4; n++) {
    world.chain.mine([])
    await reads.read()
    expect(await states()).toEqual(['pending'])
  }
})

test('nodes that answer no receipts leave it pending, and the rest is read', async () => {
  const started = await node({ tagDepth: 5, lacks: ['eth_getTransactionReceipt'] })
  const reads = await reader([started])
  await reads.read()
  started.is.omits = ({ raw }) => raw === 5n
  const next = transfer({ token: gold, from: shop, to: ana, raw: 6n })
  world.chain.mine([next])
  await reads.read()
  world.chain.mineEmpty(6)
  await reads.read()
  expect(await states()).toEqual(['pending', 'completed'])
})
