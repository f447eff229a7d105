import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startRpcServer, type RpcServer } from './rpc-server.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const buildTopic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const digest = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

/** One transfer of a token; several with the same hash are of one transaction. */
export interface FakeTransfer {
  token: string
  from: string
  to: string
  raw: bigint
  /** The transaction's; another one each time when not given. */
  hash: string
  /** It was mined, but failed: a receipt says so, and there is no log. */
  isReverted?: boolean
}
interface FakeBlock {
  number: number
  hash: string
  parentHash: string
  at: number
  transfers: FakeTransfer[]
}

let made = 0
export const transfer = (given: Omit<FakeTransfer, 'hash'> & { hash?: string }): FakeTransfer => ({
  hash: digest(`transaction ${++made}`),
  ...given,
})

/** A chain of blocks, each 3 seconds after the one before; nodes of one chain all serve these. */
export class FakeChain {
  readonly blocks: FakeBlock[] = []
  /** Transactions that wait to be mined. */
  readonly waiting = new Set<string>()
  /** So that the newest blocks are of about now. */
  #began = Math.floor(Date.now() / 1000) - 30
  #forks = 0

  constructor() {
    this.mine([])
  }

  get head(): number {
    return this.blocks.length - 1
  }

  /** One block for each list. */
  mine(...lists: FakeTransfer[][]): void {
    for (const transfers of lists) {
      const number = this.blocks.length
      const parentHash = this.blocks.at(-1)?.hash ?? digest('none')
      const hash = digest(`${parentHash} ${number} ${this.#forks} ${transfers.map((each) => each.hash).join()}`)
      this.blocks.push({ number, hash, parentHash, at: this.#began + number * 3, transfers })
    }
  }

  /** So many seconds until the next block; fewer than none make it an old one. */
  wait(seconds: number): void {
    this.#began += seconds
  }

  mineEmpty(count: number): void {
    for (let n = 0; n < count; n++) this.mine([])
  }

  /** Takes the newest blocks back and mines others in their place. */
  reorg(depth: number, ...lists: FakeTransfer[][]): void {
    this.#forks++
    this.blocks.length -= depth
    this.mine(...lists)
  }
}

/** How one node of the chain behaves. */
export interface Behaviour {
  chainId: number
  /** It has not seen the newest blocks, and answers their logs with none at all. */
  lag: number
  /** It stands still at this block. */
  stopsAt: number
  /** Its logs come from a machine that has not seen the newest blocks, its headers from one that has. */
  logsLag: number
  /** Its blocks are those of another chain, named so. */
  fork: string | null
  /** Blocks and logs of one answer. */
  mostBlocks: number
  /** It knows no transaction. */
  forgets: boolean
  /** Methods that it does not offer. */
  lacks: string[]
  /** It keeps the logs of this block and of later ones. */
  keepsFrom: number
  mostLogs: number
  /** Whether it knows the `finalized` tag, and how deep that is. */
  tagDepth: number | null
  isWithoutTimes: boolean
  /** Logs that it leaves out. */
  omits: (transfer: FakeTransfer) => boolean
  /** What it makes of the logs that it answers. */
  alters: (logs: object[]) => object[]
  /** HTTP calls after which it dies. */
  diesAfter: number
  /** Answers instead of the truth. */
  fault: ((response: ServerResponse, methods: string[]) => void) | null
}

export interface FakeChainNode extends RpcServer {
  is: Behaviour
}

interface Call {
  id: unknown
  method: string
  params: unknown[]
}
interface Filter {
  fromBlock: string
  toBlock: string
  address: string[]
  topics: (string | string[] | null)[]
}

class RefusedCall extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const getHead = (chain: FakeChain, { lag, stopsAt }: Behaviour) => Math.min(chain.head - lag, stopsAt)

function filterLogs(chain: FakeChain, is: Behaviour, filter: Filter) {
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
  if (from < is.keepsFrom) throw new RefusedCall(-32000, 'history has been pruned for this block')
  if (to - from + 1 > is.mostBlocks)
    throw new RefusedCall(-32602, `eth_getLogs is limited to a ${is.mostBlocks} block range`)
  const isIn = (wanted: string | string[] | null | undefined, value: string) =>
    wanted === null || wanted === undefined || [wanted].flat().includes(value)
  const logs = chain.blocks.slice(from, Math.min(to, getHead(chain, is) - is.logsLag) + 1).flatMap((block) =>
    block.transfers
      .map((each, at) => ({ each, at, topics: [transferTopic, buildTopic(each.from), buildTopic(each.to)] }))
      .filter(
        ({ each, topics }) =>
          !is.omits(each) &&
          !each.isReverted &&
          filter.address.includes(each.token) &&
          topics.every((topic, n) => isIn(filter.topics[n], topic)),
      )
      .map(({ at }) => ({ ...buildLog(block, at), ...(!is.isWithoutTimes && { blockTimestamp: hex(block.at) }) })),
  )
  if (logs.length > is.mostLogs) throw new RefusedCall(-32005, `query returned more than ${is.mostLogs} results`)
  return is.alters(logs)
}

function buildLog(block: FakeBlock, at: number) {
  const { token, from, to, raw, hash } = block.transfers[at]!
  return {
    address: token,
    topics: [transferTopic, buildTopic(from), buildTopic(to)],
    data: word(raw),
    blockNumber: hex(block.number),
    blockHash: block.hash,
    transactionHash: hash,
    logIndex: hex(at),
    removed: false,
  }
}

function buildReceipt(chain: FakeChain, is: Behaviour, hash: string) {
  const block = chain.blocks
    .slice(0, chain.head - is.lag + 1)
    .find(({ transfers }) => transfers.some((each) => each.hash === hash))
  if (!block || is.forgets) return null
  const mined = block.transfers.flatMap((each, at) => (each.hash === hash ? [{ each, at }] : []))
  return {
    transactionHash: hash,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    status: mined.some(({ each }) => each.isReverted) ? '0x0' : '0x1',
    logs: mined.flatMap(({ each, at }) => (each.isReverted ? [] : [buildLog(block, at)])),
  }
}

const buildTransaction = (chain: FakeChain, is: Behaviour, hash: string) =>
  buildReceipt(chain, is, hash) === null && !chain.waiting.has(hash) ? null : { hash }

function buildBlock(chain: FakeChain, is: Behaviour, tag: string) {
  const seen = getHead(chain, is)
  if (tag === 'finalized' && is.tagDepth === null) throw new RefusedCall(-32602, 'unknown block tag')
  const number = tag === 'latest' ? seen : tag === 'finalized' ? Math.max(0, seen - (is.tagDepth ?? 0)) : Number(tag)
  const block = number > seen ? undefined : chain.blocks[number]
  if (!block) return null
  const buildHash = (hash: string) => (is.fork === null ? hash : digest(`${hash} ${is.fork}`))
  const { at, hash, parentHash } = block
  return { number: hex(number), hash: buildHash(hash), parentHash: buildHash(parentHash), timestamp: hex(at) }
}

/** A node of a chain, over HTTP. */
export async function startFakeChainNode(chain: FakeChain, behaviour: Partial<Behaviour> = {}): Promise<FakeChainNode> {
  const is: Behaviour = {
    chainId: 56,
    lag: 0,
    stopsAt: Infinity,
    forgets: false,
    lacks: [],
    logsLag: 0,
    fork: null,
    mostBlocks: Infinity,
    keepsFrom: 0,
    mostLogs: Infinity,
    tagDepth: 2,
    isWithoutTimes: false,
    omits: () => false,
    alters: (logs) => logs,
    diesAfter: Infinity,
    fault: null,
    ...behaviour,
  }
  function buildResult(method: string, [first]: unknown[]) {
    if (is.lacks.includes(method)) throw new RefusedCall(-32601, `the method ${method} does not exist`)
    if (method === 'eth_chainId') return hex(is.chainId)
    if (method === 'eth_getLogs') return filterLogs(chain, is, first as Filter)
    if (method === 'eth_getTransactionReceipt') return buildReceipt(chain, is, first as string)
    if (method === 'eth_getTransactionByHash') return buildTransaction(chain, is, first as string)
    return buildBlock(chain, is, first as string)
  }
  function answer({ id, method, params }: Call) {
    try {
      return { jsonrpc: '2.0', id, result: buildResult(method, params) }
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  const server = await startRpcServer<Call>(answer, (response, asked) => {
    if (server.calls.length > is.diesAfter) {
      response.destroy()
      return true
    }
    const { fault } = is
    fault?.(
      response,
      asked.map(({ method }) => method),
    )
    return fault !== null
  })
  return Object.assign(server, { is })
}
