/**
 * What Check Balance costs besides its one eth_call: the real console over HTTP, with its session and its lookup of tokens,
 * compared with the same multicall sent directly to the same node. Each wallet is read once, so that no answer is cached.
 *
 *   node bench/balance.ts [wallets a size, default 300]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, multicall3Abi, toFunctionSelector } from 'viem'
import { callNode } from '#server/adapters/json-rpc.ts'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { multicall3Address } from '#server/adapters/multicall.ts'
import { findChainBinary } from '#demo/chain/binary.ts'
import { buildHistory, placeMulticall3, computeTokenAddress } from '#demo/chain/build.ts'
import { runChain } from '#demo/chain/run.ts'
import { percentile, serve, type Server } from './measuring.ts'

const wallets = Number(process.argv[2] ?? 300)
const sizes = [3, 20, 200]
const warmUp = 20
const decimals = [18, 6, 0]

const binary = findChainBinary()
if (!binary) throw new Error('the local chain has no program for this machine')
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })
const genesis = Math.floor(Date.now() / 1000) - 3600
const chain = await runChain(binary, join(folder, 'chain.json'), genesis)

let made = 0
const newWallet = () => `0x${(0x1000000 + ++made).toString(16).padStart(40, 'd')}` as const

/** The multicall of the console, unchanged. */
function multicall(wallet: `0x${string}`, tokens: readonly string[]): string {
  const call = (target: string, callData: `0x${string}`) => ({
    target: target as `0x${string}`,
    allowFailure: true,
    callData,
  })
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const native = encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [wallet] })
  const aboutBlock = ['getChainId()', 'getBlockNumber()', 'getCurrentBlockTimestamp()'].map((each) =>
    call(multicall3Address, toFunctionSelector(each)),
  )
  const calls = [...aboutBlock, call(multicall3Address, native), ...tokens.map((token) => call(token, balanceOf))]
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'eth_call',
    params: [{ to: multicall3Address, data }, 'latest'],
  })
}

async function bareCall(body: string) {
  const reply = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!((await reply.json()) as { result?: string }).result) throw new Error('the bare call was refused')
}
async function checkBalance({ port, cookie }: Server, wallet: string, tokens: number) {
  const reply = await fetch(`http://127.0.0.1:${port}/api/wallet-balance/${wallet}`, { headers: { cookie } })
  const answer = (await reply.json()) as { tokens?: unknown[] }
  if (answer.tokens?.length !== tokens) throw new Error(`the console answered ${answer.tokens?.length ?? 'no'} tokens`)
}

/** As many tokens as needed: copies of the deployed ones, because a block cannot contain so many deployments. */
async function copies(count: number): Promise<string[]> {
  const callRpc = (method: string, ...params: unknown[]) =>
    callNode(chain.url, [{ method, params }], AbortSignal.timeout(10_000))
  const addresses = Array.from({ length: count }, (_, n) => `0x${(0x10000 + n).toString(16).padStart(40, 'c')}`)
  for (const [n, address] of addresses.entries()) {
    const [code] = await callRpc('eth_getCode', computeTokenAddress(n % decimals.length), 'latest')
    await callRpc('anvil_setCode', address, code)
  }
  return addresses
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

try {
  await placeMulticall3(chain.url)
  const deployed = decimals.map((places, n) => ({ name: `Token ${n}`, symbol: `T${n}`, decimals: places }))
  await buildHistory(chain.url, { genesis, tokens: deployed, moves: [] })
  const addresses = await copies(sizes.at(-1)!)
  await migrateDatabase(postgres.connection)
  const database = connectPool(postgres.connection, () => {})
  const settings = { BSC_RPC_URLS: chain.url, BSC_CHAIN_ID: '1337', INDEXER: 'off' }
  const console_ = await serve('console.ts', { connection: postgres.connection, settings })
  console.log('tokens   bare p50 / p95 ms   Check Balance p50 / p95 ms   ratio p50 / p95')
  for (const size of sizes) {
    const tokens = addresses.slice(0, size)
    await database.pool.query('DELETE FROM tokens')
    await database.pool.query(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals)
       SELECT 'earning', '🪙', 'Bench', a, 'T' || n, ($2::int[])[1 + (n - 1) % 3]
       FROM unnest($1::text[]) WITH ORDINALITY AS t(a, n)`,
      [tokens, decimals],
    )
    const times = { bare: [] as number[], console: [] as number[] }
    // Alternates, so that a busy moment of the machine affects both.
    for (let round = -warmUp; round < wallets; round++) {
      const body = multicall(newWallet(), tokens)
      const bare = await timed(() => bareCall(body))
      const wallet = newWallet()
      const whole = await timed(() => checkBalance(console_, wallet, size))
      if (round < 0) continue
      times.bare.push(bare)
      times.console.push(whole)
    }
    const [bare50, bare95] = [percentile(times.bare, 0.5), percentile(times.bare, 0.95)]
    const [own50, own95] = [percentile(times.console, 0.5), percentile(times.console, 0.95)]
    console.log(
      `${String(size).padStart(6)}   ${bare50.toFixed(1)} / ${bare95.toFixed(1)}   ${own50.toFixed(1)} / ${own95.toFixed(1)}   × ${(own50 / bare50).toFixed(2)} / × ${(own95 / bare95).toFixed(2)}`,
    )
  }
  console_.stop()
  await database.close()
} finally {
  await chain.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
