import { describe, expect, test, vi } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { registerWallets, readRows, buildExpectedRows } from '#test/support/chain-reader.ts'
import { ana, bob, registered, makeTransfers, setUpIndexing } from '#test/support/indexer-setup.ts'
import { makeChainTransaction } from '#test/support/make.ts'
import { platformKey, startServer } from '#test/support/server.ts'
import { saveChainTransactions } from '#server/features/transactions/save-chain.ts'
import { CursorMovedError } from './cursor.ts'
import { Indexer } from './indexer.ts'

const server = await startServer()
const { world, node, reader, stopReader, mineSome, expectExact, health } = setUpIndexing(server)

describe('beside imports and other servers', () => {
  test('an imported row gives way to the chain’s own, and never the reverse (product 10.3)', async () => {
    mineSome(6)
    const [between, incoming] = [
      buildExpectedRows(world.chain, registered).find((row) => row.transactionType === 'other')!,
      buildExpectedRows(world.chain, registered)[0]!,
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
    expect(volume.json().total).toBe((await readRows(server)).length + 1)
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

  test('an import that is under way while the chain is read leaves each transfer once (product 10.3)', async () => {
    const reads = await reader([await node()])
    mineSome(1)
    await reads.read()
    world.chain.mine(makeTransfers(5), [], [])
    const between = buildExpectedRows(world.chain, registered).findLast((row) => row.transactionType === 'other')!
    const { transactionHash, logIndex, tokenAddress, amount } = between
    const line = {
      transactionHash,
      logIndex,
      walletAddress: between.to,
      transactionType: 'deposit' as const,
      tokenAddress,
      amount,
      status: 'completed' as const,
      createdAt: '2026-01-05T09:00:00.000Z',
    }
    let reading: Promise<void> | undefined
    await server.services.database.transaction(async (tx) => {
      expect(await saveChainTransactions(tx, server.system, [line])).toEqual(['created'])
      reading = reads.read()
      // Until it waits for the import, or has come through beside it.
      await eventually(async () => {
        const [held] = await server.sql<{ waits: boolean; rows: string }>(
          `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits,
             (SELECT count(*) FROM chain_transactions WHERE NOT is_imported)::text AS rows`,
        )
        expect(held!.waits || Number(held!.rows) > 4).toBe(true)
      })
    })
    await reading
    await expectExact()
    expect(await server.sql('SELECT id FROM chain_transactions WHERE is_imported')).toEqual([])
  })

  test('of two servers one reads, and the other takes over when it ends (product 13.3)', async () => {
    mineSome(20)
    const started = await node({ mostBlocks: 5 })
    const [one, two] = [await reader([started]), await reader([started])]
    const first = one.read()
    await vi.waitUntil(() => started.calls.length > 0, { interval: 1, timeout: 60_000 })
    await Promise.all([first, two.read()])
    await expectExact()
    expect(two.ctx.chain.logNodes.calls(), 'the second has asked for nothing').toBe(0)
    world.chain.mine(makeTransfers(30))
    await stopReader(one)
    await two.read()
    await expectExact()
  })

  test('what came late is read to its end also where two servers took turns with it', async () => {
    await server.sql('DELETE FROM wallets WHERE address = $1', [bob])
    mineSome(60)
    const [one, two] = [await node({ mostBlocks: 10 }), await node({ mostBlocks: 10 })]
    const [first, second] = [await reader([one]), await reader([two])]
    await first.read()
    await registerWallets(server, bob)
    const dieAfter = (started: typeof one, calls: number) => (started.is.diesAfter = started.calls.length + calls)
    dieAfter(one, 4)
    await first.read()
    dieAfter(two, 9)
    await second.read()
    expect((await health(first)).backfilling).toBe(1)
    one.is.diesAfter = Infinity
    await first.read()
    await first.read()
    expect((await health(first)).backfilling).toBe(0)
    await expectExact()
  })

  test('two simultaneous readers leave every transfer once', async () => {
    mineSome(60)
    const started = await node({ mostBlocks: 4 })
    const both = [await reader([started]), await reader([started])]
    const turns = both.map(async ({ ctx }) => {
      const indexer = new Indexer(ctx)
      const stop = new AbortController().signal
      for (let more = true; more;)
        more = await indexer.runTurn(ctx, stop).catch((error: unknown) => {
          if (error instanceof CursorMovedError) return true
          throw error
        })
    })
    await Promise.all(turns)
    await expectExact()
  })
})
