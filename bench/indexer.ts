/**
 * How fast transfers are read from a chain: 20,000 of them among 200 members and 3 tokens on a local chain, by the indexer
 * into PostgreSQL, compared with a plain eth_getLogs. Then the number of calls while the chain only mines empty blocks, 33 at
 * a time, as many as BSC mines in 15 s.
 *
 *   node bench/indexer.ts [rounds, default 3] [folder in which ponder is installed, to run it on the same chain]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { encodeFunctionData, erc20Abi, maxUint256, multicall3Abi } from 'viem'
import { createChainAccess } from '#server/adapters/chain-access.ts'
import { callNode } from '#server/adapters/json-rpc.ts'
import { multicall3Address } from '#server/adapters/multicall.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { findChainBinary } from '#demo/chain/binary.ts'
import { buildHistory, placeMulticall3, computeTokenAddress, treasury } from '#demo/chain/build.ts'
import { runChain } from '#demo/chain/run.ts'
import { endIndexing, indexTransfers } from '#server/features/chain/index-transfers.ts'
import { openServerBase } from '#server/process/start.ts'
import { median } from './measuring.ts'
import { runPonder } from './ponder.ts'

const rounds = Number(process.argv[2] ?? 3)
const ponderFolder = process.argv[3]
const [blocks, perBlock, memberCount] = [100, 200, 200]
const idleBlocks = 990
const pollBlocks = 33
const decimals = [18, 6, 0]

const binary = findChainBinary()
if (!binary) throw new Error('the local chain has no program for this machine')
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const genesis = Math.floor(Date.now() / 1000) - 86_400
const chain = await runChain(binary, join(folder, 'chain.json'), genesis)
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off', INDEXER_START_BLOCK: '0' })
const foundation = await openServerBase(config, pino({ level: 'silent' }), () => {})

type Hex = `0x${string}`
const tokens = decimals.map((_, n) => computeTokenAddress(n) as Hex)
const members = Array.from({ length: memberCount }, (_, n): Hex => `0x${(0x10000 + n).toString(16).padStart(40, 'a')}`)
const outside: Hex = `0x${'e'.repeat(40)}`

const call = async (method: string, ...params: unknown[]) =>
  (await callNode(chain.url, [{ method, params }], AbortSignal.timeout(30_000)))[0]
const mine = (count = 1) => call('anvil_mine', `0x${count.toString(16)}`)
const send = (from: string, to: string, data: Hex) =>
  call('eth_sendTransaction', { from, to, data, gas: '0x1c9c380', gasPrice: '0x0' })

/** From Multicall3's own balance: in, out and between members, many in one transaction. */
function someTransfers(block: number) {
  return Array.from({ length: perBlock }, (_, n) => {
    const at = block * perBlock + n
    const target = tokens[at % tokens.length]!
    const [from, to] = [members[at % memberCount]!, members[(at * 7 + 1) % memberCount]!]
    const callData =
      block < 40 || n % 2 === 0
        ? encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [from, 1000n] })
        : encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transferFrom',
            args: [from, n % 4 === 1 ? outside : to, 1n],
          })
    return { target, allowFailure: false, callData }
  })
}

async function fillChain() {
  await placeMulticall3(chain.url)
  const names = decimals.map((places, n) => ({ name: `Token ${n}`, symbol: `T${n}`, decimals: places }))
  await buildHistory(chain.url, { genesis, tokens: names, moves: [] })
  for (const token of tokens) {
    const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [multicall3Address, 10n ** 9n] })
    await send(treasury, token, give)
    const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [multicall3Address, maxUint256] })
    for (const member of members)
      await call('eth_sendTransaction', { from: member, to: token, data: allow, gas: '0x186a0', gasPrice: '0x0' })
    await mine(3)
  }
  for (let block = 0; block < blocks; block++) {
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [someTransfers(block)] })
    await send(treasury, multicall3Address, data)
    await mine()
  }
  await mine(3)
}

const superuser = connectPool({ ...foundation.owner, options: '' }, () => {})
const { pool } = superuser
async function fillDatabase() {
  await pool.query(`INSERT INTO members (id, email) VALUES ('m-1', 'bench@example.com')`)
  await pool.query(`INSERT INTO wallets (member_id, address) SELECT 'm-1', unnest($1::text[])`, [members])
  for (const [n, address] of tokens.entries())
    await pool.query(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals)
       VALUES ('earning', 'x', 'Bench', $1, $2, $3)`,
      [address, `T${n}`, decimals[n]],
    )
}

/** The indexer's request, without processing the answer. */
async function bareLogs(): Promise<{ seconds: number; logs: number }> {
  const words = members.map((member) => `0x${'0'.repeat(24)}${member.slice(2)}`)
  const event = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const filters = [
    [event, null, words],
    [event, words],
  ].map((topics) => ({
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x0', toBlock: 'latest', address: tokens, topics }],
  }))
  const begun = performance.now()
  const answers = await callNode(chain.url, filters, AbortSignal.timeout(30_000))
  return { seconds: (performance.now() - begun) / 1000, logs: answers.flat().length }
}

/** A server's indexer that has learned nothing about its nodes. */
function newIndexer() {
  const access = createChainAccess({ ...config, chainMode: 'embedded' }, async () => chain.url)
  const ctx = contextFor({ ...foundation.services, chain: access }, { kind: 'system', name: 'bench' })
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await endIndexing(ctx)
  }
  return { access, read: () => indexTransfers(ctx, stopping.signal), stop }
}

async function readAll() {
  await pool.query('TRUNCATE chain_transactions, chain_cursors, chain_coverage, list_deltas, list_totals, list_days')
  const { read, stop } = newIndexer()
  const begun = performance.now()
  await read()
  const seconds = (performance.now() - begun) / 1000
  await stop()
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM chain_transactions')
  return { seconds, rows: rows[0]!.count }
}

async function askedWhenIdle() {
  const { access, read, stop } = newIndexer()
  await read()
  let requests = 0
  const real = globalThis.fetch
  globalThis.fetch = (input, init) => {
    if (typeof init?.body === 'string') requests += [JSON.parse(init.body)].flat().length
    return real(input, init)
  }
  const before = access.logNodes.calls()
  const mineMany = async () => {
    const counted = requests
    await mine(pollBlocks)
    requests = counted
  }
  for (let n = 0; n < idleBlocks; n += pollBlocks) {
    await mineMany()
    await read()
  }
  globalThis.fetch = real
  await stop()
  const perThousand = 1000 / idleBlocks
  return { calls: (access.logNodes.calls() - before) * perThousand, requests: requests * perThousand }
}

const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20)
const perSecond = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en')

try {
  await fillChain()
  await fillDatabase()
  const before = megabytes()
  let most = before
  const sampling = setInterval(() => (most = Math.max(most, megabytes())), 20)
  const reads: { seconds: number; rows: number }[] = []
  const bare: { seconds: number; logs: number }[] = []
  for (let n = 0; n < rounds; n++) {
    bare.push(await bareLogs())
    reads.push(await readAll())
  }
  clearInterval(sampling)
  const [ours, theirs] = [median(reads.map(({ seconds }) => seconds)), median(bare.map(({ seconds }) => seconds))]
  const { rows } = reads[0]!
  const { logs } = bare[0]!
  console.log(
    `bare eth_getLogs: ${logs} logs (both filters), ${theirs.toFixed(2)} s, ${perSecond(rows, theirs)} transfers/s`,
  )
  console.log(
    `indexer: ${rows} rows, ${ours.toFixed(2)} s, ${perSecond(rows, ours)} rows/s: ${((100 * theirs) / ours).toFixed(0)} % of the bare call; resident ${before} MB before, ${most} MB at most`,
  )
  const { calls, requests } = await askedWhenIdle()
  console.log(
    `idle, ${memberCount} wallets: ${calls.toFixed(0)} HTTP calls with ${requests.toFixed(0)} requests for each 1,000 blocks`,
  )
  if (ponderFolder) {
    const seen = await runPonder({ folder: ponderFolder, url: chain.url, tokens, expected: rows })
    console.log(
      `ponder: ${seen.events} events, ${seen.seconds.toFixed(1)} s from its start (${seen.readingSeconds.toFixed(1)} s of it reading), resident ${seen.megabytes} MB at most`,
    )
  }
} finally {
  await chain.stop()
  await superuser.close()
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
