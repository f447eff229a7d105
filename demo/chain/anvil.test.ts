import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { callNode } from '#server/adapters/json-rpc.ts'
import { findChainBinary } from './binary.ts'
import { buildHistory, computeTokenAddress, treasury } from './build.ts'
import { type RunningChain, runChain } from './run.ts'
import { clearChainData, registerTokens, registerWallets, readRows, startReader } from '#test/support/chain-reader.ts'
import { startServer } from '#test/support/server.ts'
import { readChainHealth } from '#server/features/chain/health.ts'
import { topicOf, transferTopic } from '#server/features/chain/transfers.ts'

const server = await startServer()
const binary = findChainBinary()
const genesis = 1_767_225_600
const member = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`
const outside = `0x${'e'.repeat(40)}`
const members = Array.from({ length: 6 }, (_, n) => member(n))
const symbols = [
  { name: 'Solar Park', symbol: 'SOLAR', decimals: 18 },
  { name: 'Wind Farm', symbol: 'WIND', decimals: 6 },
  { name: 'Shares', symbol: 'SHARE', decimals: 0 },
] as const
const contracts = symbols.map((_, n) => computeTokenAddress(n))

const folder = await mkdtemp(join(tmpdir(), 'back-office-chain-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const moves = Array.from({ length: 44 }, (_, n) => {
  const token = symbols[n % 3]!.symbol
  const at = (genesis + 100 + n * 37) * 1000
  const [from, to] =
    n < 20 ? [treasury, member(n % 6)] : n % 4 === 0 ? [member(n % 6), outside] : [member(n % 6), member((n + 1) % 6)]
  return { at, token, from, to, amount: n < 20 ? 1_000_000n : BigInt(n) }
})
const history = { genesis, tokens: symbols, moves: moves.filter(({ from }, n) => from === treasury || n % 2 === 0) }

let started: RunningChain
const call = async (method: string, ...params: unknown[]) =>
  (await callNode(started.url, [{ method, params }], AbortSignal.timeout(5000)))[0]

async function send(from: string, token: number, to: string, amount: bigint) {
  const data = `0xa9059cbb${topicOf(to).slice(2)}${amount.toString(16).padStart(64, '0')}`
  return call('eth_sendTransaction', { from, to: contracts[token], data, gas: '0x2dc6c0', gasPrice: '0x0' })
}
const mine = (count = 1) => call('anvil_mine', `0x${count.toString(16)}`)

interface RawLog {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
  blockTimestamp: string
}
/** What the chain itself says, by plain JSON-RPC: all transfers of the tokens to and from members. */
async function readChainLogs() {
  const logs = (await call('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
    address: contracts,
    topics: [transferTopic],
  })) as RawLog[]
  const head = Number(await call('eth_blockNumber'))
  return logs
    .map((log) => ({
      transactionHash: log.transactionHash,
      logIndex: Number(log.logIndex),
      tokenAddress: log.address,
      from: `0x${log.topics[1]!.slice(26)}`,
      to: `0x${log.topics[2]!.slice(26)}`,
      amountRaw: `${BigInt(log.data)}`,
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash,
      at: Number(log.blockTimestamp),
      status: Number(log.blockNumber) <= head - 2 ? 'completed' : 'pending',
    }))
    .filter(({ from, to }) => members.includes(from) || members.includes(to))
}
/** The rows are the chain's logs; answers the transactions that have failed, which the chain knows nothing of. */
async function expectExact() {
  const [rows, logs] = [await readRows(server), await readChainLogs()]
  const isFailed = ({ status }: { status: string }) => status === 'failed'
  const kept = rows.filter((row) => !isFailed(row))
  expect(kept.map(({ walletAddress: _w, transactionType: _t, amount: _a, ...row }) => row)).toEqual(logs)
  for (const { tokenAddress, amount, amountRaw } of kept) {
    const { decimals } = symbols[contracts.indexOf(tokenAddress)]!
    const [whole, fraction = ''] = amount.split('.')
    expect(BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)).toBe(BigInt(amountRaw))
  }
  const known = new Set(logs.map(({ transactionHash }) => transactionHash))
  const failed = rows.filter(isFailed).map(({ transactionHash }) => transactionHash)
  expect(failed.filter((hash) => known.has(hash))).toEqual([])
  return failed
}

beforeEach(() => clearChainData(server))

test.skipIf(!binary)(
  "rows equal a real chain's logs after restart, reorganisation and a new chain (product 13.4)",
  async () => {
    const state = join(folder, 'state.json')
    started = await runChain(binary!, state, genesis)
    onTestFinished(() => started.stop())
    await buildHistory(started.url, history)
    await registerTokens(
      server,
      ...contracts.slice(0, 2).map((address, n) => ({ address, decimals: symbols[n]!.decimals })),
    )
    await registerWallets(server, ...members.slice(0, 5))
    const first = await startReader(server, [], {
      embeddedUrl: () => started.url,
      environment: { INDEXER_START_BLOCK: '' },
    })
    await first.read()
    await registerTokens(server, { address: contracts[2]!, decimals: 0 })
    await registerWallets(server, member(5))
    await first.read()
    await expectExact()
    expect(await readChainHealth(first.ctx)).toMatchObject({
      network: 'Local chain',
      indexer: 'ok',
      lagBlocks: 2,
      backfilling: 0,
    })
    await first.stop()

    await started.stop()
    started = await runChain(binary!, state, genesis)
    const reads = await startReader(server, [], {
      embeddedUrl: () => started.url,
      environment: { INDEXER_START_BLOCK: '' },
    })
    onTestFinished(() => reads.stop())
    await send(treasury, 0, member(1), 5n)
    await mine()
    const [kept, lost] = [await send(treasury, 1, member(2), 6n), await send(treasury, 2, member(3), 7n)]
    await mine(2)
    await reads.read()
    await expectExact()

    await call('anvil_reorg', 2, [])
    await mine()
    await reads.read()
    await mine()
    await reads.read()
    expect(await expectExact(), 'dropped by the reorganisation').toEqual([kept, lost])

    await send(treasury, 0, member(4), 9n)
    await mine(3)
    await reads.read()
    await call('anvil_reorg', 3, [])
    await mine(2)
    await reads.read()
    await mine()
    await reads.read()
    await expectExact()

    await started.stop()
    started = await runChain(binary!, join(folder, 'again.json'), genesis + 1)
    await buildHistory(started.url, { ...history, genesis: genesis + 1, moves: history.moves.slice(0, 9) })
    await reads.read()
    expect(await expectExact()).toEqual([])
  },
)

test('a chain that does not end when it is told to is killed', async () => {
  const stubborn = join(folder, 'stubborn.sh')
  await writeFile(stubborn, `#!/bin/sh\ntrap '' TERM\n: > "$0.begun"\nwhile :; do sleep 0.1; done\n`, { mode: 0o755 })
  const stopping = new AbortController()
  const running = runChain(stubborn, join(folder, 'none.json'), genesis, stopping.signal)
  const refused = expect(running).rejects.toThrow('the local chain ended at its start')
  await vi.waitFor(() => expect(existsSync(`${stubborn}.begun`)).toBe(true), { timeout: 10_000 })
  stopping.abort()
  await refused
})
