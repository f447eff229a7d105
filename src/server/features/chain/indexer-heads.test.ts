import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { FakeChain } from '#test/support/fakes/fake-chain.ts'
import { makeTransfers, readNotices, setUpIndexing } from '#test/support/indexer-setup.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { world, node, reader, mineSome, expectExact, health, events } = setUpIndexing(server)

/** The console's clock and the chain's go on by so many seconds. */
function wait(seconds: number) {
  world.chain.wait(seconds)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + seconds * 1000)
  onTestFinished(() => {
    clock.mockRestore()
  })
}

test('a node that stands still is passed over while another’s head moves', async () => {
  mineSome(12)
  const [still, moving] = [await node(), await node()]
  const reads = await reader([still, moving])
  await reads.read()
  still.is.stopsAt = world.chain.head
  wait(180)
  world.chain.mine(makeTransfers(1), [], [])
  await reads.read()
  await expectExact()
  const { indexer, providers } = await health(reads)
  expect([indexer, providers.map(({ problem }) => problem)]).toEqual(['ok', ['stands_still', null]])
  still.is.stopsAt = Infinity
  wait(180)
  world.chain.mine([])
  await reads.read()
  expect((await health(reads)).providers.map(({ problem }) => problem)).toEqual([null, null])
})

describe('a chain on which no node has a new block', () => {
  test('is stalled: one event, one notice, which goes with the next block', async () => {
    mineSome(12)
    const reads = await reader([await node()])
    await reads.read()
    expect((await health(reads)).indexer).toBe('ok')
    await server.sql(`UPDATE chain_cursors SET head_moved_at = now() - interval '3 minutes'`)
    await reads.read()
    await reads.read()
    expect(await health(reads)).toMatchObject({
      indexer: 'stalled',
      problem: expect.stringMatching(/^No node has had a new block since \w+ \d\d, \d{4} at \d\d:\d\d UTC$/),
    })
    expect(await events()).toEqual(['chain_indexer_stalled'])
    expect(await readNotices(reads.ctx)).toEqual([{ kind: 'chain_unread', count: 1 }])
    world.chain.mine([])
    await reads.read()
    expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null })
    expect(await readNotices(reads.ctx)).toEqual([])
  })

  describe('at the first look', () => {
    beforeEach(() => {
      world.chain = new FakeChain()
      world.chain.wait(-3600)
      mineSome(12)
    })

    test('is never up to date, and its lag is counted to now', async () => {
      const reads = await reader([await node(), await node()])
      await reads.read()
      await expectExact()
      const { indexer, lagSeconds, providers } = await health(reads)
      expect(indexer).toBe('stalled')
      expect(lagSeconds).toBeGreaterThan(3500)
      expect(providers.map(({ problem }) => problem)).toEqual(['stands_still', 'stands_still'])
    })

    test('is taken for one with a clock of its own once its blocks come', async () => {
      const reads = await reader([await node()])
      await reads.read()
      world.chain.mine([])
      await reads.read()
      expect(await health(reads)).toMatchObject({ indexer: 'ok', providers: [{ problem: null }] })
    })

    test('is as it should be on a local chain, which has a block when something is sent', async () => {
      const local = await node({ chainId: 31_337 })
      const reads = await reader([local], { environment: { BSC_CHAIN_ID: '31337' } })
      await reads.read()
      expect(await health(reads)).toMatchObject({ indexer: 'ok', problem: null, lagSeconds: null })
    })
  })
})

test('transfers above a head that is lower than before are counted, and stay pending', async () => {
  mineSome(11)
  const started = await node({ tagDepth: 5 })
  const reads = await reader([started])
  await reads.read()
  expect((await health(reads)).pendingAboveHead).toBe(0)
  started.is.lag = 2
  await reads.read()
  expect((await health(reads)).pendingAboveHead).toBe(8)
  await expectExact(world.chain.head - 5)
})
