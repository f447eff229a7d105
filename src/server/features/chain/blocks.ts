import { type RpcRequest, RpcError } from '#server/adapters/json-rpc.ts'

export interface Block {
  number: number
  hash: string
  parentHash: string
  /** Seconds since 1970. */
  at: number
}

/** When it was mined, as the database keeps instants. */
export const instantOf = ({ at }: Pick<Block, 'at'>): string => new Date(at * 1000).toISOString()

export const hexOf = (value: number) => `0x${value.toString(16)}`

export const blockRequest = (block: number | 'latest' | 'finalized'): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? hexOf(block) : block, false],
})

const hashForm = /^0x[0-9a-f]{64}$/i
export const isHash = (value: unknown): value is string => typeof value === 'string' && hashForm.test(value)

/** A quantity as nodes write it. Throws RpcError for anything else. */
export function quantity(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : NaN
  if (Number.isNaN(number)) throw new RpcError('bad_response', 'the node answers a number that is none')
  return number
}

/** The first block of the oldest chain of this kind; and no chain lets its clock be a day ahead. */
const earliest = Date.UTC(2015, 6, 30) / 1000
const aheadSeconds = 86_400
/** Whether a block can have been mined then, in seconds since 1970; some nodes answer 0. */
const isPlausibleTime = (at: number) => at >= earliest && at <= Date.now() / 1000 + aheadSeconds

/** A block's header. Throws RpcError for what is none: null is a node that lacks the block. */
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
