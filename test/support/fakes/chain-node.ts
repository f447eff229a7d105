import type { ServerResponse } from 'node:http'
import { encodeAbiParameters, encodeFunctionResult, decodeFunctionData, multicall3Abi } from 'viem'
import { startRpcServer, type RpcServer } from './rpc-server.ts'

/** A JSON-RPC node that answers from a few facts, or misbehaves as told. */
export interface FakeNode extends RpcServer {
  facts: {
    chainId: number
    block: bigint
    /** When that block was mined, in seconds since 1970. */
    at: number
    native: bigint
    /** By token address; what a token is not in here has no contract. */
    balances: Map<string, bigint | 'reverts' | 'short' | 'huge'>
    /** The balance of every other token, if there are any. */
    otherBalance?: bigint
    /** What contracts say of themselves, by address; `raw` data instead of a proper answer. */
    contracts: Map<string, FakeContract>
    /** Of one wallet, by `token/wallet`. */
    holdings: Map<string, bigint>
    supplies: Map<string, bigint>
    /** The node has other blocks than its neighbours. */
    fork: number
    /** Calls of one `eth_call` before it runs out of gas. */
    mostCalls: number
    /** A call with any of these burns all gas: alone too, and with its neighbours. */
    hogs: Set<string>
  }
  /** Answers the next calls instead of the truth. */
  fault: Fault | null
}
export type Fault = (response: ServerResponse, body: { id: unknown; method: string }) => void

interface FakeContract {
  hasCode?: boolean
  name?: string | { raw: `0x${string}` }
  symbol?: string | { raw: `0x${string}` }
  decimals?: bigint
}

interface Body {
  id: unknown
  method: string
  params: [{ to: string; data: `0x${string}` } | string, string?]
}

const encodeWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const

const says: Record<string, 'name' | 'symbol' | 'decimals'> = {
  '0x06fdde03': 'name',
  '0x95d89b41': 'symbol',
  '0x313ce567': 'decimals',
}
function buildRevert(word: string | bigint | { raw: `0x${string}` } | undefined) {
  if (word === undefined) return { success: true, returnData: '0x' as const }
  if (typeof word === 'bigint') return { success: true, returnData: encodeWord(word) }
  return {
    success: true,
    returnData: typeof word === 'object' ? word.raw : encodeAbiParameters([{ type: 'string' }], [word]),
  }
}

export async function startFakeNode(): Promise<FakeNode> {
  const facts: FakeNode['facts'] = {
    chainId: 56,
    block: 48_000_000n,
    at: Math.floor(Date.now() / 1000),
    native: 0n,
    balances: new Map(),
    contracts: new Map(),
    holdings: new Map(),
    supplies: new Map(),
    fork: 0,
    mostCalls: Infinity,
    hogs: new Set(),
  }
  const atOf = (block: bigint) => BigInt(facts.at + facts.fork) - (facts.block - block)
  const hashOf = (block: bigint) => encodeWord(block * 1000n + BigInt(facts.fork))
  function result({ method, params }: Body): unknown {
    if (method === 'eth_chainId') return `0x${facts.chainId.toString(16)}`
    const [asked, tag] = params
    if (method === 'eth_getBlockByNumber') {
      const number = typeof asked === 'string' && asked.startsWith('0x') ? BigInt(asked) : facts.block
      const timestamp = `0x${atOf(number).toString(16)}`
      return { number: `0x${number.toString(16)}`, hash: hashOf(number), parentHash: hashOf(number - 1n), timestamp }
    }
    const block = tag?.startsWith('0x') ? BigInt(tag) : facts.block
    if (typeof asked === 'string') return facts.contracts.get(asked)?.hasCode ? '0x6001' : '0x'
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: asked.data })
    const calls = args?.[0] as readonly { target: string; callData: string }[]
    if (calls.length > facts.mostCalls) throw new Error('out of gas')
    if (calls.some(({ target }) => facts.hogs.has(target.toLowerCase()))) throw new Error('out of gas')
    const rows = calls.map(({ target, callData }) => {
      if (callData === '0x3408e470') return { success: true, returnData: encodeWord(BigInt(facts.chainId)) }
      if (callData === '0x42cbb15c') return { success: true, returnData: encodeWord(block) }
      if (callData === '0x0f28c97d') return { success: true, returnData: encodeWord(atOf(block)) }
      if (callData.startsWith('0x4d2301cc')) return { success: true, returnData: encodeWord(facts.native) }
      if (callData in says) return buildRevert(facts.contracts.get(target.toLowerCase())?.[says[callData]!])
      const supply = callData === '0x18160ddd' ? facts.supplies.get(target.toLowerCase()) : undefined
      const held = facts.holdings.get(`${target.toLowerCase()}/0x${callData.slice(-40)}`) ?? supply
      if (held !== undefined) return { success: true, returnData: encodeWord(held) }
      const balance = facts.balances.get(target.toLowerCase()) ?? facts.otherBalance
      if (balance === undefined) return { success: true, returnData: '0x' as const }
      if (balance === 'reverts') return { success: false, returnData: '0x' as const }
      if (balance === 'short') return { success: true, returnData: '0x1234' as const }
      if (balance === 'huge') return { success: true, returnData: `0x${'ab'.repeat(1_000_000)}` as const }
      return { success: true, returnData: encodeWord(balance) }
    })
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })
  }
  function answer(body: Body) {
    try {
      return { jsonrpc: '2.0', id: body.id, result: result(body) }
    } catch (error) {
      return { jsonrpc: '2.0', id: body.id, error: { code: -32000, message: String(error) } }
    }
  }
  const server = await startRpcServer<Body>(answer, (response, [first]) => {
    const { fault } = node
    fault?.(response, first!)
    return fault !== null
  })
  const node: FakeNode = Object.assign(server, { facts, fault: null })
  return node
}
