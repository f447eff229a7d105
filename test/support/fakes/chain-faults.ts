import type { Call, Exchange, Fault } from './fault-proxy.ts'

/** Every way in which a node was seen to misbehave, by a name that docs/chain-faults.md has too. */
export interface NamedFault {
  name: string
  fault: Fault
  /** With a second, healthy node everything is read all the same; false where nothing shows that anything is wrong. */
  isNoticed: boolean
}

type Reply = Record<string, unknown>
const hex = (value: number) => `0x${value.toString(16)}`

const answer =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body)
const error =
  (code: number, message: string): Fault =>
  ({ calls, reply }) =>
    reply(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } })))
/** Alters the replies of some methods; `null` for all. */
const alter =
  (methods: readonly string[] | null, change: (reply: Reply, call: Call) => Reply): Fault =>
  async ({ calls, forward, reply }) => {
    const replies = await forward()
    reply(replies.map((each, n) => (methods?.includes(calls[n]!.method) === false ? each : change(each, calls[n]!))))
  }
const result = (methods: readonly string[], value: unknown) => alter(methods, (reply) => ({ ...reply, result: value }))

const countBlocks = ({ params }: Call) => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
  return Number(toBlock) - Number(fromBlock) + 1
}
const asksLogs = ({ calls }: Exchange, over: number) =>
  calls.some((call) => call.method === 'eth_getLogs' && countBlocks(call) > over)
/** Misbehaves so when asked for the logs of more than so many blocks. */
const onLogs =
  (over: number, fault: Fault): Fault =>
  async (exchange) =>
    asksLogs(exchange, over) ? fault(exchange) : exchange.reply(await exchange.forward())
const logsRefused = (over: number, code: number, message: string) =>
  onLogs(over, async ({ calls, forward, reply }) => {
    const replies = await forward()
    reply(
      replies.map((each, n) =>
        calls[n]!.method === 'eth_getLogs' ? { jsonrpc: '2.0', id: each.id, error: { code, message } } : each,
      ),
    )
  })
const logs = (change: (logs: Reply[]) => unknown) =>
  alter(['eth_getLogs'], (reply) => ({ ...reply, result: change(reply.result as Reply[]) }))
const eachLog = (change: (log: Reply) => Reply) => logs((list) => list.map(change))
const headers = (change: (header: Reply, call: Call) => unknown) =>
  alter(['eth_getBlockByNumber'], (reply, call) => ({ ...reply, result: change(reply.result as Reply, call) }))

const onCall =
  (fault: Fault): Fault =>
  async (exchange) =>
    exchange.calls.some(({ method }) => method === 'eth_call')
      ? fault(exchange)
      : exchange.reply(await exchange.forward())
const huge: Fault = ({ response }) =>
  void response.writeHead(200, { 'content-length': String(30 * 1024 * 1024) }).write('"')
const half = (text: string) => text.slice(0, text.length / 2)
const truncated: Fault = async ({ forward, response }) => void response.end(half(JSON.stringify(await forward())))
const silence: Fault = ({ expire }) => expire()
const stall: Fault = ({ response, expireBody }) => {
  response.write('{"jsonrpc":')
  expireBody()
}
const drip: Fault = ({ response, expireBody }) => {
  const timer = setInterval(() => response.write(' '), 1)
  response.on('close', () => clearInterval(timer))
  expireBody()
}
const inBatches =
  (fault: Fault): Fault =>
  async (exchange) =>
    exchange.isBatch ? fault(exchange) : exchange.reply(await exchange.forward())
const wholeBatch = (code: number, message: string) =>
  inBatches(answer(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })))

/** Words of real nodes for a range that is too wide, and some that no node has; all allow ten blocks. */
const refusals: [number, string][] = [
  [-32005, 'limit exceeded'],
  [-32614, 'eth_getLogs is limited to a 10 range'],
  [-32602, 'range 60 exceeds limit of 10'],
  [-32602, 'invalid params'],
  [-32000, 'Maximum allowed number of requested blocks is 10'],
  [-32000, 'exceed maximum block range: 10'],
  [-32000, 'logs matched by query exceeds limit of 10000'],
  [-32000, 'query returned more than 10000 results'],
  [-32603, 'internal error'],
  [-32000, 'query timed out'],
  [-32099, 'ranz te wijd'],
]

const named: [string, Fault, isNoticed?: boolean][] = [
  ['the connection is cut', ({ response }) => void response.destroy()],
  ['no answer', silence],
  ['a body that stalls', stall],
  ['a body that drips', drip],
  ['a truncated body', truncated],
  ['an empty body', answer('')],
  ['HTML', answer('<html>')],
  ['bytes that are no text', answer(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
  ['JSON that is not JSON-RPC', answer('"yes"')],
  ['null', answer('null')],
  ['a redirect', answer('', 307, { location: 'http://127.0.0.1:1/' })],
  ...[400, 401, 403, 404, 413].map((status): [string, Fault] => [`HTTP ${status}`, answer('{}', status)]),
  ['HTTP 429', answer('{}', 429, { 'retry-after': '3600' })],
  ...[500, 502, 503].map((status): [string, Fault] => [`HTTP ${status}`, answer('{}', status)]),
  ['wrong ids', alter(null, (reply) => ({ ...reply, id: 77 }))],
  ['ids as text', alter(null, (reply) => ({ ...reply, id: String(reply.id) }))],
  ['replies without a result', alter(null, ({ id }) => ({ jsonrpc: '2.0', id }))],
  ['the replies of a batch in reverse', async ({ forward, reply }) => reply((await forward()).toReversed())],
  ['fewer replies than calls', inBatches(async ({ forward, reply }) => reply((await forward()).slice(1)))],
  ['batches refused with -32600', wholeBatch(-32600, 'batch requests are not supported')],
  ['batches refused with HTTP 400', inBatches(answer('{}', 400))],
  ['error -32601 to everything', error(-32601, 'the method does not exist')],
  ['error -32602 to everything', error(-32602, 'invalid params')],
  ['error -32603 to everything', error(-32603, 'internal error')],
  ['error -32000 to everything', error(-32000, 'server error at http://10.0.0.7/key-abc123')],
  ['error -32005 to everything', error(-32005, 'limit exceeded')],
  ['“too many requests” to everything', error(-32000, 'too many requests, slow down')],
  ['“memory limit exceeded” to everything', error(-32000, 'memory limit exceeded')],
  ...refusals.map(([code, words]): [string, Fault] => [
    `logs of more than 10 blocks: ${code} “${words}”`,
    logsRefused(10, code, words),
  ]),
  ['logs of more than 10 blocks: -32614 to the whole batch', onLogs(10, wholeBatch(-32614, 'limited to a 10 range'))],
  ['logs of more than 10 blocks: HTTP 413', onLogs(10, answer('', 413))],
  ['logs of more than 10 blocks: HTTP 503', onLogs(10, answer('', 503))],
  ['logs of more than 10 blocks: the connection is cut', onLogs(10, ({ response }) => void response.destroy())],
  ['logs of more than 10 blocks: a truncated body', onLogs(10, truncated)],
  ['logs of more than 10 blocks: more than 20 MB', onLogs(10, huge)],
  ['logs of more than 10 blocks: no answer', onLogs(10, silence)],
  ['logs refused even of one block', logsRefused(0, -32005, 'limit exceeded')],
  ['eth_getLogs missing', logsRefused(0, -32601, 'the method eth_getLogs does not exist')],
  ['logs null', logs(() => null)],
  ['logs of other blocks', eachLog((log) => ({ ...log, blockNumber: '0x63' }))],
  ['logs of another fork', eachLog((log) => ({ ...log, blockHash: `0x${'7'.repeat(64)}` }))],
  ['logs of other tokens', eachLog((log) => ({ ...log, address: `0x${'9'.repeat(40)}` }))],
  ['the same logs twice', logs((list) => [...list, ...list])],
  ['logs that were taken back', eachLog((log) => ({ ...log, removed: true }))],
  ['logs that are none', eachLog(() => ({ data: '0x' }))],
  ['logs without a time', eachLog((log) => ({ ...log, blockTimestamp: undefined }))],
  ['logs of 1970', eachLog((log) => ({ ...log, blockTimestamp: '0x0' }))],
  ['logs of the far future', eachLog((log) => ({ ...log, blockTimestamp: '0xffffffffff' }))],
  ['some logs left out', logs((list) => list.slice(1)), false],
  ['all logs left out', logs(() => []), false],
  ['logs without those of the newest blocks', logs(withoutNewest), false],
  ['a head that is null', headers((header, { params }) => (params[0] === 'latest' ? null : header))],
  ['headers of 1970', headers((header) => ({ ...header, timestamp: '0x0' }))],
  ['headers of the far future', headers((header) => ({ ...header, timestamp: '0xffffffffff' }))],
  [
    'a head five blocks behind',
    headers((header, { params }) =>
      params[0] === 'latest' ? { ...header, number: hex(Number(header.number) - 5) } : header,
    ),
    false,
  ],
  ['the finalized tag refused', alterTag({ error: { code: -32602, message: 'unknown block tag' } }), false],
  ['the finalized tag null', alterTag({ result: null }), false],
  ['another chain’s id', result(['eth_chainId'], '0x61')],
  ['another chain in place of this', otherChain()],
  ['an eth_call of more than 20 MB', onCall(huge)],
  ['an eth_call that answers 0x', result(['eth_call'], '0x')],
  ['an eth_call that answers a number', result(['eth_call'], 56)],
  ['an eth_call that answers zeros', result(['eth_call'], `0x${'0'.repeat(640)}`)],
]

/** As a machine that is behind the others of its address has them. */
function withoutNewest(list: Reply[]): Reply[] {
  const newest = Math.max(...list.map(({ blockNumber }) => Number(blockNumber)))
  return list.filter(({ blockNumber }) => Number(blockNumber) < newest - 5)
}

/** A node that does not know the `finalized` tag. */
function alterTag(change: Reply): Fault {
  return alter(['eth_getBlockByNumber'], (reply, { params, id }) =>
    params[0] === 'finalized' ? { jsonrpc: '2.0', id, ...change } : reply,
  )
}

/** Other blocks, other amounts and another id, as when a machine is taken over by another network. */
function otherChain(): Fault {
  // A block's hash may begin with either digit; it never stays the same.
  const other = (hash: unknown) =>
    typeof hash === 'string' ? `0x${hash[2] === '9' ? '8' : '9'}${hash.slice(3)}` : hash
  return alter(null, (reply, { method }) => {
    const value = reply.result as Reply
    if (method === 'eth_chainId') return { ...reply, result: '0x61' }
    if (method === 'eth_getBlockByNumber' && value)
      return { ...reply, result: { ...value, hash: other(value.hash), parentHash: other(value.parentHash) } }
    if (method === 'eth_call' && typeof reply.result === 'string') {
      const chainWord = `0000000000000000000000000000000000000000000000000000000000000038`
      return { ...reply, result: reply.result.replace(chainWord, `${chainWord.slice(0, -2)}61`) }
    }
    return reply
  })
}

export const chainFaults: NamedFault[] = named.map(([name, fault, isNoticed = true]) => ({ name, fault, isNoticed }))
