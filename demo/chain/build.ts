import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { callNode, type RpcRequest } from '#server/adapters/json-rpc.ts'
import { loadViem, multicall3Address } from '#server/adapters/multicall.ts'

export interface NewToken {
  name: string
  symbol: string
  decimals: number
}

/** A past transfer, in the token's smallest unit. */
export interface TokenTransfer {
  /** Milliseconds since 1970. The chain stores whole seconds. */
  at: number
  /** Its symbol. */
  token: string
  from: string
  to: string
  amount: bigint
}

/** Everything that happened on a chain before it is first used. */
export interface ChainHistory {
  /** When the chain began, in seconds since 1970. */
  genesis: number
  /** In the order of deployment, which determines their addresses. */
  tokens: readonly NewToken[]
  /** Ordered by time. */
  moves: readonly TokenTransfer[]
  /** Balances of the chain's coin, in 10^-18, from the beginning on, because gas is free. */
  coins?: ReadonlyMap<string, bigint>
}

/** The address that deploys and distributes the tokens. Nobody has its key. */
export const treasury = '0x00000000000000000000000000000000000d3a10'
const supply = 10n ** 15n
const callTimeoutMs = 10_000

type Call = (method: string, ...params: unknown[]) => Promise<unknown>
type Hex = `0x${string}`

interface Artifact {
  demoToken: { abi: import('viem').Abi; bytecode: Hex }
  multicall3: { code: Hex }
}

async function readArtifact(): Promise<Artifact> {
  const text = await readFile(join(import.meta.dirname, 'solidity/artifact.json'), 'utf8')
  return JSON.parse(text) as Artifact
}

/** The address of the n-th token of a history, 0 to 127: a hash of the deployer and the transaction's number. */
export function computeTokenAddress(n: number): string {
  const number = n === 0 ? 0x80 : n
  const encoded = new Uint8Array([0xd6, 0x94, ...hexToBytes(treasury.slice(2)), number])
  return `0x${bytesToHex(keccak_256(encoded)).slice(-40)}`
}

const createCaller =
  (url: string): Call =>
  async (method, ...params) => {
    const request: RpcRequest = { method, params }
    const [result] = await callNode(url, [request], AbortSignal.timeout(callTimeoutMs))
    return result
  }

/** The blocks of a history: the block of the tokens, then one for each second with transfers. */
function groupIntoBlocks({ genesis, moves }: ChainHistory): { at: number; moves: TokenTransfer[] }[] {
  const blocks: { at: number; moves: TokenTransfer[] }[] = []
  for (const move of moves) {
    const at = Math.max(Math.floor(move.at / 1000), genesis + 2)
    const last = blocks.at(-1)
    if (last && at <= last.at) last.moves.push(move)
    else blocks.push({ at, moves: [move] })
  }
  return blocks
}

/** Whether the chain contains this history to its last block. Later blocks do not matter. */
export async function holdsHistory(url: string, history: ChainHistory): Promise<boolean> {
  const blocks = groupIntoBlocks(history)
  const last = await createCaller(url)('eth_getBlockByNumber', `0x${(blocks.length + 1).toString(16)}`, false)
  const timestamp = last && typeof last === 'object' && 'timestamp' in last ? Number(last.timestamp) : undefined
  return timestamp === (blocks.at(-1)?.at ?? history.genesis + 1)
}

/** Installs Multicall3 at its usual address. */
export async function placeMulticall3(url: string): Promise<void> {
  const { multicall3 } = await readArtifact()
  await createCaller(url)('anvil_setCode', multicall3Address, multicall3.code)
}

/** From now on the chain uses this machine's clock and mines transactions at once. */
export async function startMining(url: string): Promise<void> {
  const call = createCaller(url)
  await call('evm_setTime', Math.floor(Date.now() / 1000))
  await call('evm_setAutomine', true)
}

const sendRequest = (from: string, to: string | undefined, data: Hex): RpcRequest => ({
  method: 'eth_sendTransaction',
  params: [{ from, ...(to && { to }), data, gas: '0x2dc6c0', gasPrice: '0x0' }],
})
/** Mines a block at this second with all sent transactions. */
const mineRequest = (at: number): RpcRequest => ({ method: 'evm_mine', params: [at] })

/** Builds a history on a fresh chain. The same history gives the same blocks, to the last hash. */
export async function buildHistory(url: string, history: ChainHistory): Promise<void> {
  const { encodeDeployData, encodeFunctionData } = await loadViem()
  const { demoToken } = await readArtifact()
  const { abi, bytecode } = demoToken
  const addresses = new Map(history.tokens.map(({ symbol }, n) => [symbol, computeTokenAddress(n)]))
  const requests: RpcRequest[] = [
    ...[...(history.coins ?? [])].map(([owner, amount]) => ({
      method: 'anvil_setBalance',
      params: [owner, `0x${amount.toString(16)}`],
    })),
    ...history.tokens.map(({ name, symbol, decimals }) =>
      sendRequest(treasury, undefined, encodeDeployData({ abi, bytecode, args: [name, symbol, decimals] })),
    ),
    ...history.tokens.map(({ symbol, decimals }) => {
      const args = [treasury, supply * 10n ** BigInt(decimals)]
      return sendRequest(treasury, addresses.get(symbol), encodeFunctionData({ abi, functionName: 'mint', args }))
    }),
    mineRequest(history.genesis + 1),
    ...groupIntoBlocks(history).flatMap(({ at, moves }) => [
      ...moves.map(({ token, from, to, amount }) =>
        sendRequest(
          from,
          addresses.get(token),
          encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
        ),
      ),
      mineRequest(at),
    ]),
  ]
  // One by one, because the chain serves the parts of a batch in any order.
  const call = createCaller(url)
  for (const { method, params } of requests) await call(method, ...params)
  if (!(await holdsHistory(url, history))) throw new Error('the local chain did not take its history')
}
