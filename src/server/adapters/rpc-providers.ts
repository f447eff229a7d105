import { AppError, type ErrorCode } from '#server/errors.ts'
import { callNode, RpcError, type RpcFailure, type RpcRequest } from './json-rpc.ts'

/** Asks the node that is being tried; several requests go as one HTTP call. */
export type Ask = (...requests: RpcRequest[]) => Promise<unknown[]>

export interface Providers {
  /**
   * Runs one read against the first node that answers it properly: `read` checks and decodes, and an RpcError that it
   * throws moves on to the next node, save `execution`, which every node would answer. Throws AppError when none does.
   */
  read<T>(read: (ask: Ask) => Promise<T>, options?: ReadOptions): Promise<T>
  /** By host name alone: the rest of a URL may be a key. */
  health(): { host: string; isUp: boolean }[]
  /** HTTP calls made so far. */
  calls(): number
  /** Of one read, where none is given. */
  deadlineMs: number
}

interface ReadOptions {
  /** Over all calls to one node; else the setting's. */
  timeoutMs?: number
  /** Over all nodes together; else the setting's. */
  deadlineMs?: number
}

interface Settings {
  /** In order of preference; asked each time, since an embedded chain comes and goes. */
  urls: () => Promise<readonly string[]>
  chainId: number
  /** Over headers and bodies of all calls to one node. */
  timeoutMs: number
  /** Over all nodes together. */
  deadlineMs: number
}

interface Node {
  url: string
  isRightChain: boolean
  failures: number
  restsUntil: number
}

const firstRestMs = 4000
const longestRestMs = 60_000

/** What a caller is told when no node answered. */
const told: Record<Exclude<RpcFailure, 'execution'>, [ErrorCode, string]> = {
  unavailable: ['chain_unavailable', 'The blockchain cannot be reached'],
  busy: ['chain_busy', 'The blockchain node limits our requests; try again in a moment'],
  timeout: ['chain_timeout', 'The blockchain did not answer in time'],
  bad_response: ['chain_bad_response', 'The blockchain node gave an answer that cannot be read'],
  wrong_network: ['chain_wrong_network', 'The configured node serves another network'],
}

export function asAppError({ failure }: RpcError): AppError {
  const [code, message] = failure === 'execution' ? told.bad_response : told[failure]
  return new AppError(code, message, failure === 'busy' ? { retryAfter: 5 } : {})
}

export function rpcProviders({ urls, chainId, timeoutMs, deadlineMs }: Settings): Providers {
  const nodes = new Map<string, Node>()
  let calls = 0

  /** The configured order, those that rest after a failure behind the others. */
  async function inOrder(): Promise<Node[]> {
    const present = await urls()
    for (const known of nodes.keys()) if (!present.includes(known)) nodes.delete(known)
    for (const url of present)
      if (!nodes.has(url)) nodes.set(url, { url, isRightChain: false, failures: 0, restsUntil: 0 })
    const now = Date.now()
    return [...nodes.values()].toSorted((one, other) => Number(one.restsUntil > now) - Number(other.restsUntil > now))
  }

  async function tryNode<T>(node: Node, read: (ask: Ask) => Promise<T>, leftMs: number): Promise<T> {
    const ends = AbortSignal.timeout(Math.max(1, Math.round(leftMs)))
    const ask: Ask = (...requests) => {
      calls++
      return callNode(node.url, requests, ends)
    }
    if (!node.isRightChain) {
      const [id] = await ask({ method: 'eth_chainId', params: [] })
      if (typeof id !== 'string' || !/^0x[0-9a-f]+$/i.test(id))
        throw new RpcError('bad_response', 'the node does not say which chain it serves')
      if (Number(id) !== chainId)
        throw new RpcError('wrong_network', `the node serves chain ${Number(id)}, not ${chainId}`)
      node.isRightChain = true
    }
    return read(ask)
  }

  return {
    async read(read, options = {}) {
      const end = performance.now() + (options.deadlineMs ?? deadlineMs)
      const order = await inOrder()
      if (order.length === 0) throw new AppError('chain_unavailable', told.unavailable[1])
      let last = new RpcError('timeout', 'no time was left')
      for (const node of order) {
        const left = end - performance.now()
        if (left <= 0) break
        try {
          const result = await tryNode(node, read, Math.min(left, options.timeoutMs ?? timeoutMs))
          node.failures = 0
          node.restsUntil = 0
          return result
        } catch (error) {
          if (!(error instanceof RpcError) || error.failure === 'execution') throw error
          last = error
          node.failures++
          node.restsUntil = Date.now() + Math.min(longestRestMs, firstRestMs * 2 ** Math.min(node.failures - 1, 4))
        }
      }
      const refusal = asAppError(last)
      refusal.cause = last
      throw refusal
    },
    health: () =>
      [...nodes.values()].map(({ url, restsUntil }) => ({ host: new URL(url).host, isUp: restsUntil <= Date.now() })),
    calls: () => calls,
    deadlineMs,
  }
}
