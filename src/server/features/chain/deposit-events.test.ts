import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventMessage } from '#contract/schemas/platform-events.ts'
import { buildEventBody } from '#server/adapters/platform-endpoint.ts'
import { makeChainTransaction } from '#test/support/make.ts'
import { registerTokens, registerWallets } from '#test/support/chain-reader.ts'
import { type FakeTransfer, transfer } from '#test/support/fakes/fake-chain.ts'
import { address, ana, bob, gold, setUpIndexing, shop } from '#test/support/indexer-setup.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { world, node, reader, stopReader, expectExact } = setUpIndexing(server)

interface DepositEvent extends Record<string, unknown> {
  type: 'deposit.confirmed' | 'deposit.dropped'
  id: string
  sequence: number
  version: number
  payload: Record<string, unknown>
}
const told = () =>
  server.sql<DepositEvent>(
    `SELECT type, entity_id AS id, sequence, version, payload FROM platform_events v ORDER BY v.id`,
  )
/** The events so far, in short: the raw amount says which transfer is meant. */
const toldShort = async () =>
  (await told()).map(({ type, payload, sequence }) => `${type.slice(8)} ${String(payload.amountRaw)} ${sequence}`)
const deposit = (raw: bigint, more: Partial<FakeTransfer> = {}) =>
  transfer({ token: gold, from: shop, to: ana, raw, ...more })
const alarms = () =>
  server.sql(`SELECT severity, details FROM security_events WHERE event_type = 'deposit_dropped' ORDER BY id`)

beforeEach(async () => {
  await server.sql('TRUNCATE platform_events, messages CASCADE')
  world.chain.mineEmpty(6)
})

/** A reader that has read the chain as it is, so that what comes now is new. */
async function follow(behaviour: Parameters<typeof node>[0] = {}) {
  const started = await node(behaviour)
  const reads = await reader([started])
  await reads.read()
  return { reads, node: started }
}

describe('deposit.confirmed', () => {
  test('is written once when a deposit is final, with what the contract says (product 10.4)', async () => {
    const { reads } = await follow()
    const paid = deposit(25n * 10n ** 17n)
    world.chain.mine([deposit(1n, { to: shop }), paid])
    await reads.read()
    expect(await told()).toEqual([])
    world.chain.mineEmpty(2)
    await reads.read()
    await reads.read()
    const [event, ...more] = await told()
    expect(more).toEqual([])
    const block = world.chain.blocks[7]!
    const [{ memberId }] = (await server.sql('SELECT member_id AS "memberId" FROM wallets LIMIT 1')) as [
      { memberId: string },
    ]
    expect(event).toEqual({
      type: 'deposit.confirmed',
      id: `${paid.hash}/1`,
      sequence: 1,
      version: 1,
      payload: {
        memberId,
        walletAddress: ana,
        fromAddress: shop,
        kind: 'earning',
        contractAddress: gold,
        tokenSymbol: `T${gold.slice(-3)}`,
        decimals: 18,
        amount: '2.5',
        amountRaw: '2500000000000000000',
        chainId: 56,
        transactionHash: paid.hash,
        logIndex: 1,
        blockNumber: 7,
        blockHash: block.hash,
        at: new Date(block.at * 1000).toISOString(),
      },
    })
    const head = { entityType: 'deposit', entityId: event!.id, sequence: 1, version: 1, createdAt: block.hash }
    const body: unknown = JSON.parse(
      buildEventBody({ ...head, createdAt: new Date().toISOString(), type: event!.type, payload: event!.payload }),
    )
    expect(eventMessage('deposit.confirmed').safeParse(body).error).toBeUndefined()
  })

  test('is written for each log, and for the recipient between two members', async () => {
    const { reads } = await follow()
    const one = deposit(1n)
    world.chain.mine([one, { ...one, raw: 2n, to: bob }, deposit(3n, { from: ana, to: bob })])
    world.chain.mineEmpty(2)
    await reads.read()
    expect((await told()).map(({ payload }) => [payload.walletAddress, payload.amountRaw])).toEqual([
      [ana, '1'],
      [bob, '2'],
      [bob, '3'],
    ])
  })

  test('is not written for what leaves, for nothing, or for an unknown token', async () => {
    const { reads } = await follow()
    world.chain.mine([
      deposit(1n, { from: ana, to: shop }),
      deposit(0n),
      deposit(2n, { token: address('c', 9) }),
      deposit(3n, { to: shop }),
    ])
    world.chain.mineEmpty(2)
    await reads.read()
    expect(await told()).toEqual([])
  })

  test('is not written for history, also of wallets and tokens that come later', async () => {
    const [carl, late] = [address('a', 7), address('c', 7)]
    world.chain.mine([deposit(1n)], [deposit(2n, { to: carl })], [deposit(3n, { token: late })])
    world.chain.mineEmpty(2)
    const { reads } = await follow()
    await expectExact()
    await registerWallets(server, carl)
    await registerTokens(server, { address: late, decimals: 0 })
    await reads.read()
    expect(await server.sql('SELECT 1 FROM chain_transactions')).toHaveLength(3)
    expect(await told()).toEqual([])
    world.chain.mine([deposit(4n, { to: carl }), deposit(5n, { token: late })])
    world.chain.mineEmpty(2)
    await reads.read()
    expect(await toldShort()).toEqual(['confirmed 4 1', 'confirmed 5 1'])
  })

  test('is written for what was pending as the wallet came, and what was imported', async () => {
    const { reads } = await follow()
    const carl = address('a', 7)
    const imported = deposit(6n)
    world.chain.mine([deposit(5n, { to: carl }), imported])
    await registerWallets(server, carl)
    await makeChainTransaction(server, ana, { transactionHash: imported.hash, tokenAddress: gold, amount: '6' })
    await reads.read()
    expect(await told()).toEqual([])
    world.chain.mineEmpty(2)
    await reads.read()
    expect(await toldShort()).toEqual(['confirmed 5 1', 'confirmed 6 1'])
  })

  test('is written once by two servers, over restarts, and when blocks are read again', async () => {
    const shared = await node()
    const [one, two] = [await reader([shared]), await reader([shared])]
    await one.read()
    for (let n = 1; n <= 12; n++) {
      world.chain.mine([deposit(BigInt(n))])
      await Promise.all(n < 6 ? [one.read(), two.read()] : [two.read()])
      if (n === 6) await stopReader(one)
    }
    world.chain.mineEmpty(2)
    await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '2 days'`)
    await stopReader(two)
    const three = await reader([shared])
    await three.read()
    await three.read()
    expect(await toldShort()).toEqual(Array.from({ length: 12 }, (_, n) => `confirmed ${n + 1} 1`))
  })

  test('is written for the log where the transfer is in the end, after a reorganisation', async () => {
    const { reads } = await follow()
    const paid = deposit(5n)
    world.chain.mine([paid])
    await reads.read()
    world.chain.reorg(1, [], [deposit(6n), paid])
    world.chain.mineEmpty(2)
    await reads.read()
    expect(await told()).toMatchObject([
      { type: 'deposit.confirmed', payload: { amountRaw: '6', logIndex: 0 } },
      { type: 'deposit.confirmed', id: `${paid.hash}/1`, payload: { blockNumber: 8 } },
    ])
  })
})

describe('deposit.dropped', () => {
  test('is written when a pending deposit fails, and a later success follows', async () => {
    const { reads } = await follow({ tagDepth: 4 })
    const paid = deposit(5n)
    world.chain.mine([paid])
    await reads.read()
    world.chain.reorg(1, [{ ...paid, isReverted: true }])
    await reads.read()
    await reads.read()
    expect(await told()).toMatchObject([
      { type: 'deposit.dropped', id: `${paid.hash}/0`, sequence: 1, payload: { amountRaw: '5', wasConfirmed: false } },
    ])
    expect(await alarms()).toEqual([])
    world.chain.reorg(1, [], [paid])
    world.chain.mineEmpty(5)
    await reads.read()
    expect(await toldShort()).toEqual(['dropped 5 1', 'confirmed 5 2'])
  })

  test('is written, with a high event, when a confirmed deposit is gone', async () => {
    const { reads } = await follow({ tagDepth: 2 })
    const paid = deposit(7n)
    world.chain.mine([paid], [deposit(8n)])
    world.chain.mineEmpty(3)
    await reads.read()
    // Its log was of a block that no node has any more, between two that all have.
    world.chain.blocks[7]!.transfers = []
    await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '2 days'`)
    world.chain.mineEmpty(1)
    await reads.read()
    expect(await toldShort()).toEqual(['confirmed 7 1', 'confirmed 8 1'])
    world.chain.mineEmpty(1)
    await reads.read()
    expect(await toldShort()).toEqual(['confirmed 7 1', 'confirmed 8 1', 'dropped 7 2'])
    expect((await told()).at(-1)).toMatchObject({ version: 2, payload: { wasConfirmed: true } })
    expect(await alarms()).toMatchObject([
      { severity: 'high', details: { transactionHash: paid.hash, amount: '0.000000000000000007' } },
    ])
    expect(await server.sql('SELECT status FROM chain_transactions WHERE transaction_hash = $1', [paid.hash])).toEqual([
      { status: 'failed' },
    ])
  })

  test('is not written when a node only leaves the log out', async () => {
    const { reads, node: started } = await follow({ tagDepth: 2 })
    world.chain.mine([deposit(7n)])
    world.chain.mineEmpty(3)
    await reads.read()
    started.is.omits = () => true
    for (let n = 0; n < 3; n++) {
      await server.sql(`UPDATE chain_cursors SET reread_at = now() - interval '2 days'`)
      world.chain.mineEmpty(1)
      await reads.read()
    }
    expect(await toldShort()).toEqual(['confirmed 7 1'])
  })

  test('follows a chain that was rolled back, read again as docs/operating.md says', async () => {
    const { reads } = await follow({ tagDepth: 2 })
    const [kept, moved, lost] = [deposit(1n), deposit(2n), deposit(3n)]
    world.chain.mine([kept], [moved], [lost])
    world.chain.mineEmpty(3)
    await reads.read()
    await stopReader(reads)
    world.chain.reorg(5, [deposit(4n), moved], [])
    world.chain.mineEmpty(6)
    const page = await readFile(join(import.meta.dirname, '../../../../docs/operating.md'), 'utf8')
    const statements = page.matchAll(/-c (['"])(UPDATE chain_.+)\1/g)
    for (const [, , statement] of statements) await server.sql(statement!)
    const { reads: again } = await follow({ tagDepth: 2 })
    world.chain.mineEmpty(1)
    await again.read()
    expect((await toldShort()).slice(3)).toEqual(['dropped 2 2', 'confirmed 4 1', 'confirmed 2 1', 'dropped 3 2'])
    expect(await alarms()).toHaveLength(2)
    expect(await server.sql('SELECT amount_raw::int AS raw, status FROM chain_transactions ORDER BY 1')).toEqual([
      { raw: 1, status: 'completed' },
      { raw: 2, status: 'completed' },
      { raw: 3, status: 'failed' },
      { raw: 4, status: 'completed' },
    ])
  })
})
