/**
 * What reading the chain costs with very many wallets: the time until all are taken in, the rows that a turn without news
 * reads, and what the heap grows by. The chain is a fake one, so that the database is what is measured.
 *
 *   node --expose-gc bench/watched-wallets.ts [wallets, default 2000000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { endIndexing, indexTransfers } from '#server/features/chain/index-transfers.ts'
import { openServerBase } from '#server/process/start.ts'
import { FakeChain, startFakeChainNode, transfer } from '#test/support/fakes/fake-chain.ts'

const wallets = Number(process.argv[2] ?? 2_000_000)
const idleTurns = 20
const [blocks, perBlock] = [50, 400]

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const chain = new FakeChain()
const node = await startFakeChainNode(chain)
const config = readConfig({
  DATA_DIR: join(folder, 'data'),
  DEMO: 'off',
  BSC_RPC_URLS: node.url,
  INDEXER_START_BLOCK: '0',
  INDEXER_CONFIRMATIONS: '2',
})
const base = await openServerBase(config, pino({ level: 'silent' }), () => {})
// The server's account may not vacuum.
const owner = connectPool({ ...base.owner, options: '' }, () => {})
const client = await owner.pool.connect()
await client.query('SET statement_timeout = 0')

const token = `0x${'c'.repeat(40)}`
const walletOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const outside = (n: number) => `0x${n.toString(16).padStart(40, 'e')}`

/** All rows that statements have read, as the closed connections have reported them. */
async function countRowsRead(): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ open: number; read: number }>(`
      SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'bench') AS open,
        (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::float8 + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::float8 AS read`)
    if (rows[0]!.open === 0) return rows[0]!.read
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** A reader that has just started, for as long as `work` takes. */
async function withReader<T>(work: (read: () => Promise<void>) => Promise<T>): Promise<T> {
  const database = connectPool({ ...base.owner, application_name: 'bench', max: 3 }, () => {})
  const access = createChainAccess(config)
  const ctx = contextFor({ ...base.services, database, chain: access }, { kind: 'system', name: 'bench' })
  try {
    return await work(() => indexTransfers(ctx, new AbortController().signal))
  } finally {
    await endIndexing(ctx)
    await database.close()
  }
}

const seconds = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
const heapMegabytes = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

try {
  await client.query(`INSERT INTO members (id, email) VALUES ('m-1', 'bench@example.com')`)
  await client.query(
    `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol) VALUES ('earning', 'x', 'Bench', $1, 'T')`,
    [token],
  )
  const inserting = await seconds(() =>
    client.query(
      `INSERT INTO wallets (member_id, address) SELECT 'm-1', '0x' || lpad(to_hex(n), 40, '0') FROM generate_series(1, $1) n`,
      [wallets],
    ),
  )
  console.log(`${wallets.toLocaleString('en')} wallets, inserted in ${inserting.toFixed(1)} s`)
  chain.mineEmpty(3)
  const before = heapMegabytes()
  let after = before
  await withReader(async (read) => {
    console.log(`taken in: ${(await seconds(read)).toFixed(1)} s`)
    after = heapMegabytes()
  })
  await client.query('VACUUM ANALYZE wallets, wallet_changes, chain_coverage, chain_transactions')

  for (let block = 0; block < blocks; block++)
    chain.mine(
      Array.from({ length: perBlock }, (_, n) => {
        const at = block * perBlock + n
        const to = n % 2 === 0 ? walletOf(1 + ((at * 7919) % wallets)) : outside(at)
        return transfer({ token, from: outside(at + 1e6), to, raw: 1n })
      }),
    )
  chain.mineEmpty(3)
  const reading = await withReader((read) => seconds(read))
  console.log(
    `${(blocks * perBlock).toLocaleString('en')} transfers of the token, half of them to wallets: ${reading.toFixed(1)} s`,
  )

  // Beyond the blocks that are read again with the next ones.
  chain.mineEmpty(130)
  await withReader((read) => read())
  await client.query('VACUUM ANALYZE wallets, wallet_changes, chain_coverage, chain_transactions')
  const rowsRead = await countRowsRead()
  await withReader(async (read) => {
    for (let turn = 0; turn < idleTurns; turn++) {
      chain.mineEmpty(1)
      await read()
    }
  })
  const idle = ((await countRowsRead()) - rowsRead) / idleTurns
  console.log(`a turn with an empty block, of ${idleTurns} after a start: ${idle.toFixed(0)} rows read`)
  await client.query(`INSERT INTO wallets (member_id, address) VALUES ('m-1', '0x${'d'.repeat(40)}')`)
  const taking = await withReader((read) => seconds(read))
  console.log(`a wallet more, taken in and read from the start: ${(taking * 1000).toFixed(0)} ms`)
  console.log(`heap: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after all wallets were taken in`)
} finally {
  client.release()
  await owner.close()
  await node.close()
  await base.close()
  await rm(folder, { recursive: true, force: true })
}
