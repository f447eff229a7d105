import { type RpcRequest, RpcError } from '#server/adapters/json-rpc.ts'

export interface Block {
  number: number
  hash: string
  parentHash: string
  /** Seconds since 1970. */
  at: number
}

/** The time at which a block was mined, in the form that the database stores. */
export const instantOf = ({ at }: Pick<Block, 'at'>): string => new Date(at * 1000).toISOString()

export const hexOf = (value: number) => `0x${value.toString(16)}`

export const blockRequest = (block: number | 'latest' | 'finalized'): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? hexOf(block) : block, false],
})

const hashForm = /^0x[0-9a-f]{64}$/i
export const isHash = (value: unknown): value is string => typeof value === 'string' && hashForm.test(value)

/** Parses a hexadecimal quantity. Throws RpcError for anything else. */
export function quantity(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : NaN
  if (Number.isNaN(number)) throw new RpcError('bad_response', 'the node answers a number that is not one')
  return number
}

/** No EVM chain is older than this day, and none allows a block a day ahead of its clock. */
const earliest = Date.UTC(2015, 6, 30) / 1000
const aheadSeconds = 86_400
/** Whether a block can have this time, in seconds since 1970. Some nodes answer 0. */
const isPlausibleTime = (at: number) => at >= earliest && at <= Date.now() / 1000 + aheadSeconds

/** Parses a block header. Throws RpcError for anything else. A node that lacks the block answers null. */
export function readBlock(answer: unknown, wanted?: number): Block {
  if (answer === null) throw new RpcError('bad_response', 'the node does not have a block that others have')
  const { number, hash, parentHash, timestamp } = Object(answer) as Record<string, unknown>
  if (!isHash(hash) || !isHash(parentHash)) throw new RpcError('bad_response', 'the node answers no block')
  const block = {
    number: quantity(number),
    hash: hash.toLowerCase(),
    parentHash: parentHash.toLowerCase(),
    at: quantity(timestamp),
  }
  if (wanted !== undefined && block.number !== wanted)
    throw new RpcError('bad_response', 'the node answers another block than was asked for')
  if (block.number > 0 && !isPlausibleTime(block.at))
    throw new RpcError('bad_response', 'the node answers a block of no possible time')
  return block
}
