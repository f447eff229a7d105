/** JSON-RPC 2.0 over HTTP POST, limited in time and size. Its errors never contain the URL, which may include a key. */

export interface RpcRequest {
  method: string
  params: readonly unknown[]
}

/**
 * `unavailable`: no answer. `busy`: the node limits our requests. `method_missing`, `batch_refused`, `refused`: it
 * answers with an error. `timeout`, `bad_response`: its answer cannot be read. `execution`: the contract failed, as it
 * would on every node. `wrong_network`: the node serves another chain.
 */
export type RpcFailure =
  | 'unavailable'
  | 'busy'
  | 'method_missing'
  | 'batch_refused'
  | 'refused'
  | 'timeout'
  | 'bad_response'
  | 'execution'
  | 'wrong_network'

export class RpcError extends Error {
  readonly failure: RpcFailure
  /** The node's JSON-RPC error code or HTTP status, if it refused. */
  readonly code: number | undefined

  constructor(failure: RpcFailure, message: string, code?: number) {
    super(message.replace(/\b(https?|wss?):\/\/\S+/gi, '(node)').slice(0, 300))
    this.failure = failure
    this.code = code
  }
}

/** The largest answer is a range of logs. */
const maxBytes = 20 * 1024 * 1024
const tooLarge = 'the node answers more than 20 MB'

const contractFailed = /execution reverted|out ?of ?gas|gas limit|memory limit|execution aborted/i
/** Refers to the rate of our requests, not to their content. */
const rateLimited = /too many (requests?|calls)|rate[ -]?limit|requests? rate/i

function classifyFailure(code: number, message: string): RpcFailure {
  if (code === 3 || contractFailed.test(message)) return 'execution'
  if (code === -32005 || code === 429 || rateLimited.test(message)) return 'busy'
  return code === -32601 ? 'method_missing' : 'refused'
}

/**
 * Calls one node, with several requests in one HTTP call, and returns their results in order. Throws RpcError, for a
 * batch if any request failed. `signal` limits headers and body together.
 */
export async function callNode(url: string, requests: readonly RpcRequest[], signal: AbortSignal): Promise<unknown[]> {
  const calls = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  let answer: { status: number; text: string }
  try {
    answer = await postJson(url, JSON.stringify(calls.length === 1 ? calls[0] : calls), signal)
  } catch (error) {
    if (error instanceof RpcError) throw error
    if (signal.aborted) throw new RpcError('timeout', 'the node did not answer in time')
    throw new RpcError('unavailable', 'the node cannot be reached')
  }
  try {
    return readAnswer(answer, calls.length)
  } catch (error) {
    // Only eth_call runs a contract. For other methods the node itself failed.
    const isNodes = error instanceof RpcError && error.failure === 'execution'
    if (!isNodes || requests.some(({ method }) => method === 'eth_call')) throw error
    throw new RpcError('refused', error.message, error.code)
  }
}

function readAnswer({ status, text }: { status: number; text: string }, count: number): unknown[] {
  if (status === 429) throw new RpcError('busy', 'the node limits our requests', status)
  if (status >= 200 && status < 300) return readResults(parseJson(text), count)
  const failure = status >= 500 ? 'unavailable' : 'refused'
  throw findRefusal(text, count) ?? new RpcError(failure, `the node answers HTTP ${status}`, status)
}

async function postJson(url: string, body: string, signal: AbortSignal) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
    redirect: 'error',
    signal,
  })
  const parts: Uint8Array[] = []
  let size = 0
  if (Number(reply.headers.get('content-length')) > maxBytes) {
    await reply.body?.cancel()
    throw new RpcError('bad_response', tooLarge)
  }
  for await (const part of reply.body ?? []) {
    size += part.length
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes) throw new RpcError('bad_response', tooLarge)
    parts.push(part)
  }
  return { status: reply.status, text: Buffer.concat(parts).toString('utf8') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RpcError('bad_response', 'the node answers no JSON')
  }
}

/** Matches results to requests by id, because a batch may be answered in any order. */
function readResults(answer: unknown, count: number): unknown[] {
  const replies: unknown[] = Array.isArray(answer) ? answer : [answer]
  const isWholeBatch = count > 1 && !Array.isArray(answer)
  const results = new Map<unknown, unknown>()
  for (const reply of replies) {
    if (typeof reply !== 'object' || reply === null) throw new RpcError('bad_response', 'the node answers no JSON-RPC')
    if ('error' in reply && reply.error) throw toRpcError(reply.error, isWholeBatch)
    if ('id' in reply && 'result' in reply) results.set(reply.id, reply.result)
  }
  return Array.from({ length: count }, (_, id) => {
    if (!results.has(id)) throw new RpcError('bad_response', 'the node answers another question')
    return results.get(id)
  })
}

/** Some nodes refuse by HTTP status with the reason in JSON-RPC. */
function findRefusal(text: string, count: number): RpcError | undefined {
  try {
    readResults(parseJson(text), count)
  } catch (error) {
    if (error instanceof RpcError && error.code !== undefined) return error
  }
  return undefined
}

function toRpcError(error: unknown, isWholeBatch: boolean): RpcError {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  const number = typeof code === 'number' ? code : 0
  const words = typeof message === 'string' ? message : 'no reason given'
  const failure = classifyFailure(number, words)
  return new RpcError(isWholeBatch && failure === 'refused' ? 'batch_refused' : failure, words, number)
}
