import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startRpcServer, type RpcServer } from './rpc-server.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const digest = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

/** One transfer of a token; several with the same hash are of one transaction. */
export interface FakeTransfer {
  token: string
  from: string
  to: string
  raw: bigint
  /** The transaction's; another one each time when not given. */
  hash: string
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
      this.blocks.push({ number, hash, parentHash, at: 1_767_225_600 + number * 3, transfers })
    }
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
  /** Blocks and logs of one answer. */
  mostBlocks: number
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

class Refused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

function logsOf(chain: FakeChain, is: Behaviour, filter: Filter) {
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
  if (from < is.keepsFrom) throw new Refused(-32000, 'history has been pruned for this block')
  if (to - from + 1 > is.mostBlocks)
    throw new Refused(-32602, `eth_getLogs is limited to a ${is.mostBlocks} block range`)
  const isIn = (wanted: string | string[] | null | undefined, value: string) =>
    wanted === null || wanted === undefined || [wanted].flat().includes(value)
  const logs = chain.blocks.slice(from, Math.min(to, chain.head - is.lag) + 1).flatMap((block) =>
    block.transfers
      .map((each, at) => ({ each, at, topics: [transferTopic, topicOf(each.from), topicOf(each.to)] }))
      .filter(
        ({ each, topics }) =>
          !is.omits(each) &&
          filter.address.includes(each.token) &&
          topics.every((topic, n) => isIn(filter.topics[n], topic)),
      )
      .map(({ each, at, topics }) => ({
        address: each.token,
        topics,
        data: word(each.raw),
        blockNumber: hex(block.number),
        blockHash: block.hash,
        transactionHash: each.hash,
        logIndex: hex(at),
        removed: false,
        ...(!is.isWithoutTimes && { blockTimestamp: hex(block.at) }),
      })),
  )
  if (logs.length > is.mostLogs) throw new Refused(-32005, `query returned more than ${is.mostLogs} results`)
  return is.alters(logs)
}

function blockOf(chain: FakeChain, is: Behaviour, tag: string) {
  const seen = chain.head - is.lag
  if (tag === 'finalized' && is.tagDepth === null) throw new Refused(-32602, 'unknown block tag')
  const number = tag === 'latest' ? seen : tag === 'finalized' ? Math.max(0, seen - (is.tagDepth ?? 0)) : Number(tag)
  const block = number > seen ? undefined : chain.blocks[number]
  if (!block) return null
  return { number: hex(block.number), hash: block.hash, parentHash: block.parentHash, timestamp: hex(block.at) }
}

/** A node of a chain, over HTTP. */
export async function startFakeChainNode(chain: FakeChain, behaviour: Partial<Behaviour> = {}): Promise<FakeChainNode> {
  const is: Behaviour = {
    chainId: 56,
    lag: 0,
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
  function answer({ id, method, params }: Call) {
    try {
      const result =
        method === 'eth_chainId'
          ? hex(is.chainId)
          : method === 'eth_getLogs'
            ? logsOf(chain, is, params[0] as Filter)
            : blockOf(chain, is, params[0] as string)
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
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
