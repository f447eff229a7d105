import { expect, test } from 'vitest'
import { readRows, registerWallets, buildExpectedRows } from '#test/support/chain-reader.ts'
import { transfer } from '#test/support/fakes/fake-chain.ts'
import { address, ana, bob, gold, registered, setUpIndexing, shop } from '#test/support/indexer-setup.ts'
import { eventually } from '#test/support/eventually.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { world, node, reader, stopReader, mineSome, health } = setUpIndexing(server)
// Each wallet is more than requests name.
const environment = { INDEXER_TOPIC_CHUNK: '1' }
const wallets = 6_000

const registerCrowd = () =>
  server.sql(
    `INSERT INTO wallets (member_id, address)
     SELECT (SELECT min(id) FROM members), '0x' || lpad(to_hex(n), 40, '0') FROM generate_series(1, $1) AS n`,
    [wallets],
  )

/** All rows that statements have read, once the reader's connections have reported them. */
async function countRowsRead(): Promise<number> {
  const [stats] = await server.sql<{ read: number }>(`
    SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::float8
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::float8 AS read`)
  return stats!.read
}

test('a turn without news reads a number of rows that does not grow with the wallets', async () => {
  await registerCrowd()
  world.chain.mineEmpty(150)
  const nodes = [await node()]
  const first = await reader(nodes, { environment })
  await first.read()
  await stopReader(first)
  await server.sql('ANALYZE chain_coverage')
  await server.sql('ANALYZE wallets')
  const turns = 10
  const idle = await reader(nodes, { environment })
  const before = await countRowsRead()
  for (let turn = 0; turn < turns; turn++) {
    world.chain.mine([])
    await idle.read()
  }
  await stopReader(idle)
  // A connection reports as it ends.
  await eventually(async () => {
    const [{ open }] = (await server.sql<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%chain_cursors%' AND pid <> pg_backend_pid()`,
    )) as [{ open: number }]
    expect(open).toBe(0)
  })
  expect(((await countRowsRead()) - before) / turns).toBeLessThan(1000)
})

test('a transfer between a wallet of many and one that came late is of both (product 12.2)', async () => {
  await registerCrowd()
  const late = address('b', 7)
  const one = `0x${'5'.padStart(40, '0')}`
  world.chain.mine([transfer({ token: gold, from: late, to: one, raw: 3n })])
  world.chain.mine([transfer({ token: gold, from: shop, to: late, raw: 4n })])
  world.chain.mineEmpty(3)
  const reads = await reader([await node()], { environment })
  await reads.read()
  expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, { ...registered, wallets: [ana, bob, one] }))
  await registerWallets(server, late)
  await reads.read()
  expect(await readRows(server)).toEqual(
    buildExpectedRows(world.chain, { ...registered, wallets: [ana, bob, one, late] }),
  )
  expect((await health(reads)).backfilling).toBe(0)
})

test('a wallet that is registered while all are taken in is read too', async () => {
  mineSome(5)
  const open = address('b', 8)
  world.chain.mine([transfer({ token: gold, from: shop, to: open, raw: 3n })])
  world.chain.mineEmpty(3)
  const reads = await reader([await node()])
  const [{ id }] = (await server.sql<{ id: string }>('SELECT min(id) AS id FROM members')) as [{ id: string }]
  await server.services.database.transaction(async (tx) => {
    await tx.execute(`INSERT INTO wallets (member_id, address) VALUES ('${id}', '${open}')`)
    await registerWallets(server, address('b', 9))
    await reads.read()
    expect((await readRows(server)).filter(({ to }) => to === open)).toEqual([])
  })
  await reads.read()
  expect((await readRows(server)).filter(({ to }) => to === open)).toHaveLength(1)
})

test('a wallet that comes or goes does so for every chain that was read here', async () => {
  mineSome(5)
  const reads = await reader([await node()])
  await reads.read()
  await server.sql(`INSERT INTO chain_cursors (chain_id, genesis_hash, start_block, done_block, done_hash, wallets_taken_to)
    VALUES (97, 'x', 10, 500, 'y', NULL), (98, 'x', 501, 500, 'y', NULL)`)
  await registerWallets(server, address('b', 1))
  await reads.read()
  const covered = () =>
    server.sql(
      `SELECT chain_id AS chain, next_block::text AS next, deposits_from::int AS "from" FROM chain_coverage WHERE address = $1 AND chain_id <> 56 ORDER BY 1`,
      [address('b', 1)],
    )
  expect(await covered()).toEqual([
    { chain: 97, next: '10', from: 501 },
    { chain: 98, next: `${Number.MAX_SAFE_INTEGER}`, from: 501 },
  ])
  await server.sql('DELETE FROM wallets WHERE address = $1', [address('b', 1)])
  await reads.read()
  expect(await covered()).toEqual([])
  expect(await server.sql('SELECT id FROM wallet_changes')).toEqual([])
})
