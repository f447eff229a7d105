import type { NodeProblem } from '#contract/chain.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { callNode, RpcError, type RpcFailure, type RpcRequest } from './json-rpc.ts'

/** Calls the current node. Several requests are one HTTP call. */
export type CallRpc = (...requests: RpcRequest[]) => Promise<unknown[]>

/** A result that another node may improve. Otherwise the one with the highest rank counts. */
export class ProvisionalResult<T> {
  readonly value: T
  readonly rank: number
  /** Why the node is suspended, as the screen shows it. Null if it stays in use. */
  readonly problem: NodeProblem | null

  constructor(value: T, rank: number, problem: NodeProblem | null) {
    this.value = value
    this.rank = rank
    this.problem = problem
  }
}

/** What a read may ask about its node. */
interface NodeProbe {
  /** Records the node's newest block (`at` in seconds since 1970). Returns whether none was newer for a while. */
  isStalled(head: { number: number; at: number }): boolean
}

export interface RpcNodes {
  /**
   * Runs `read` with the first node that answers properly. An RpcError moves on to the next node, except `execution`,
   * which every node would answer. Throws AppError if no node answers.
   */
  read<T>(
    read: (call: CallRpc, node: NodeProbe) => Promise<T | ProvisionalResult<T>>,
    options?: ReadOptions,
  ): Promise<T>
  /** Runs `read` with every node at once. Returns the results of those that answer properly. */
  readEach<T>(read: (call: CallRpc) => Promise<T>, timeoutMs: number): Promise<T[]>
  /** By host name only, because the rest of a URL may be a key. */
  health(): { host: string; problem: NodeProblem | null }[]
  /** The number of HTTP calls so far. */
  calls(): number
  chainId: number
  /** The default deadline of one read. */
  deadlineMs: number
  /** Blocks are mined only for transactions, as on a local chain, so an old block means nothing. */
  isMinedOnDemand: boolean
}

interface ReadOptions {
  /** For all calls to one node. Default: the setting. */
  timeoutMs?: number
  /** For all nodes together. Default: the setting. */
  deadlineMs?: number
}

interface Settings extends Pick<RpcNodes, 'chainId' | 'deadlineMs' | 'isMinedOnDemand'> {
  /** In order of preference. Read each time, because an embedded chain starts and stops. */
  urls: () => Promise<readonly string[]>
  /** For headers and bodies of all calls to one node. */
  timeoutMs: number
}

interface Node {
  url: string
  isRightChain: boolean
  problem: NodeProblem | null
  failures: number
  suspendedUntil: number
  isStalled: boolean
  /** The newest block, when it was last read, and since when it is the newest, in milliseconds. */
  head: { number: number; askedAt: number; since: number } | undefined
}

const firstPauseMs = 4000
const maxPauseMs = 60_000
/** BSC has a block every half second. A node without a new one for this long is suspended if another has one. */
export const stalledAfterMs = 60_000

const refusedText = 'The blockchain node refuses the request'
/** What a caller reads when no node answered. */
const refusals: Record<Exclude<RpcFailure, 'execution'>, [ErrorCode, string]> = {
  unavailable: ['chain_unavailable', 'The blockchain cannot be reached'],
  busy: ['chain_busy', 'The blockchain node limits our requests; try again in a moment'],
  method_missing: ['chain_method_missing', 'The blockchain node does not offer a method that is needed'],
  batch_refused: ['chain_batch_refused', `${refusedText}: it takes no batches of JSON-RPC calls`],
  refused: ['chain_request_refused', refusedText],
  timeout: ['chain_timeout', 'The blockchain did not answer in time'],
  bad_response: ['chain_bad_response', 'The blockchain node gave an answer that cannot be read'],
  wrong_network: ['chain_wrong_network', 'The configured node serves another network'],
}

export function toAppError({ failure, code: nodeCode }: RpcError): AppError {
  const [code, message] = refusals[failure === 'execution' ? 'bad_response' : failure]
  const isRefusal = failure === 'refused' || failure === 'batch_refused' || failure === 'method_missing'
  const detail = nodeCode !== undefined && nodeCode >= 400 ? `HTTP ${nodeCode}` : `JSON-RPC error ${nodeCode}`
  return new AppError(
    code,
    isRefusal && nodeCode !== undefined ? `${message} (${detail})` : message,
    failure === 'busy' ? { retryAfter: 5 } : {},
  )
}

/** Throws RpcError if the node serves another chain. */
export async function requireChain(call: CallRpc, chainId: number): Promise<void> {
  const [id] = await call({ method: 'eth_chainId', params: [] })
  if (typeof id !== 'string' || !/^0x[0-9a-f]+$/i.test(id))
    throw new RpcError('bad_response', 'the node does not say which chain it serves')
  if (Number(id) !== chainId) throw wrongNetworkError(Number(id), chainId)
}

export const wrongNetworkError = (served: number | bigint, chainId: number) =>
  new RpcError('wrong_network', `the node serves chain ${served}, not ${chainId}`)

/** Records the node's newest block. If the node was not watched, the block's own time counts. */
function updateHead(node: Node, { number, at }: { number: number; at: number }): boolean {
  const now = Date.now()
  const before = node.head && now - node.head.askedAt < stalledAfterMs ? node.head : undefined
  const since = before === undefined ? Math.min(now, at * 1000) : number > before.number ? now : before.since
  node.head = { number: Math.max(number, before?.number ?? 0), askedAt: now, since }
  node.isStalled = now - since > stalledAfterMs
  return node.isStalled
}

const createNode = (url: string): Node => ({
  url,
  isRightChain: false,
  problem: null,
  failures: 0,
  suspendedUntil: 0,
  isStalled: false,
  head: undefined,
})

function suspendNode(node: Node, problem: NodeProblem): void {
  node.problem = problem
  // The node may return serving another chain.
  node.isRightChain = false
  node.failures++
  node.suspendedUntil = Date.now() + Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(node.failures - 1, 4))
}

export const createRpcNodes = (settings: Settings): RpcNodes => new RpcNodePool(settings)

class RpcNodePool implements RpcNodes {
  readonly chainId: number
  readonly deadlineMs: number
  readonly isMinedOnDemand: boolean
  readonly #settings: Settings
  readonly #nodes = new Map<string, Node>()
  #calls = 0

  constructor(settings: Settings) {
    this.#settings = settings
    this.chainId = settings.chainId
    this.deadlineMs = settings.deadlineMs
    this.isMinedOnDemand = settings.isMinedOnDemand
  }

  /** In configured order. Suspended nodes come last. */
  async #listNodes(): Promise<Node[]> {
    const nodes = this.#nodes
    const present = await this.#settings.urls()
    for (const known of nodes.keys()) if (!present.includes(known)) nodes.delete(known)
    for (const url of present) if (!nodes.has(url)) nodes.set(url, createNode(url))
    const now = Date.now()
    return [...nodes.values()].toSorted(
      (one, other) => Number(one.suspendedUntil > now) - Number(other.suspendedUntil > now),
    )
  }

  async #tryNode<T>(node: Node, read: (call: CallRpc, view: NodeProbe) => Promise<T>, leftMs: number): Promise<T> {
    const ends = AbortSignal.timeout(Math.max(1, Math.round(leftMs)))
    const call: CallRpc = (...requests) => {
      this.#calls++
      return callNode(node.url, requests, ends)
    }
    if (!node.isRightChain) await requireChain(call, this.chainId)
    node.isRightChain = true
    return read(call, { isStalled: (head) => !this.isMinedOnDemand && updateHead(node, head) })
  }

  async read<T>(
    read: (call: CallRpc, node: NodeProbe) => Promise<T | ProvisionalResult<T>>,
    options: ReadOptions = {},
  ): Promise<T> {
    const end = performance.now() + (options.deadlineMs ?? this.deadlineMs)
    const order = await this.#listNodes()
    if (order.length === 0) throw new AppError('chain_unavailable', refusals.unavailable[1])
    let last = new RpcError('timeout', 'no time was left')
    let secondBest: ProvisionalResult<T> | undefined
    for (const node of order) {
      const left = end - performance.now()
      if (left <= 0 || (secondBest && node.suspendedUntil > Date.now())) break
      try {
        const result = await this.#tryNode(node, read, Math.min(left, options.timeoutMs ?? this.#settings.timeoutMs))
        if (result instanceof ProvisionalResult) {
          if (!secondBest || result.rank > secondBest.rank) secondBest = result
          if (result.problem) suspendNode(node, result.problem)
          continue
        }
        node.problem = null
        node.failures = 0
        node.suspendedUntil = 0
        return result
      } catch (error) {
        if (!(error instanceof RpcError) || error.failure === 'execution') throw error
        last = error
        suspendNode(node, error.failure)
      }
    }
    if (secondBest) return secondBest.value
    const refusal = toAppError(last)
    refusal.cause = last
    throw refusal
  }

  async readEach<T>(read: (call: CallRpc, node: NodeProbe) => Promise<T>, ofOneMs: number): Promise<T[]> {
    const order = await this.#listNodes()
    const results = await Promise.allSettled(order.map((node) => this.#tryNode(node, read, ofOneMs)))
    const unexpected = results.find((each) => each.status === 'rejected' && !(each.reason instanceof RpcError))
    if (unexpected?.status === 'rejected') throw unexpected.reason
    return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  }

  health() {
    return [...this.#nodes.values()].map(({ url, problem, isStalled }) => ({
      host: new URL(url).host,
      problem: problem ?? (isStalled ? ('stands_still' as const) : null),
    }))
  }

  calls(): number {
    return this.#calls
  }
}
