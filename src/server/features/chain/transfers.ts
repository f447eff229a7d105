import type { TransactionType } from '#contract/transactions.ts'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { isHash, quantity } from './blocks.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** One Transfer event of a token. Addresses and hashes are in lower case. */
export interface Transfer {
  transactionHash: string
  logIndex: number
  blockNumber: number
  blockHash: string
  /** Seconds since 1970. Undefined if the log has no time. */
  at: number | undefined
  tokenAddress: string
  fromAddress: string
  toAddress: string
  /** In the token's smallest unit. */
  raw: bigint
}

/** An address as a 32-byte topic. */
export const topicOf = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`

const addressTopic = /^0x0{24}[0-9a-f]{40}$/i
const amountData = /^0x[0-9a-f]{64}$/i
const addressOf = (topic: string) => `0x${topic.slice(26).toLowerCase()}`

/**
 * Parses a log as a transfer. Undefined for other events, and for non-fungible tokens, which have one more topic.
 * Throws RpcError for invalid logs and for logs that the chain removed.
 */
export function readTransfer(log: unknown): Transfer | undefined {
  const given = Object(log) as Record<string, unknown>
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, blockTimestamp } = given
  const isLog =
    typeof address === 'string' &&
    Array.isArray(topics) &&
    typeof data === 'string' &&
    isHash(blockHash) &&
    isHash(transactionHash)
  if (!isLog || given.removed === true) throw new RpcError('bad_response', 'the node answers logs that are none')
  const [event, from, to, ...more] = topics as unknown[]
  if (event !== transferTopic || more.length > 0 || !amountData.test(data)) return undefined
  if (typeof from !== 'string' || typeof to !== 'string' || !addressTopic.test(from) || !addressTopic.test(to))
    return undefined
  return {
    transactionHash: transactionHash.toLowerCase(),
    logIndex: quantity(logIndex),
    blockNumber: quantity(blockNumber),
    blockHash: blockHash.toLowerCase(),
    at: blockTimestamp === undefined || blockTimestamp === null ? undefined : quantity(blockTimestamp),
    tokenAddress: address.toLowerCase(),
    fromAddress: addressOf(from),
    toAddress: addressOf(to),
    raw: BigInt(data),
  }
}

/** Decides which wallet owns a transfer. Between two members it is the sender's. Null if no member takes part. */
export function classifyTransfer(
  { fromAddress, toAddress }: Pick<Transfer, 'fromAddress' | 'toAddress'>,
  isMember: (address: string) => boolean,
): { transactionType: TransactionType; walletAddress: string } | null {
  const isFromMember = isMember(fromAddress)
  const isToMember = isMember(toAddress)
  if (isFromMember && isToMember) return { transactionType: 'other', walletAddress: fromAddress }
  if (isToMember) return { transactionType: 'deposit', walletAddress: toAddress }
  return isFromMember ? { transactionType: 'withdrawal', walletAddress: fromAddress } : null
}

/** Converts the smallest units of a token to an exact decimal. */
export function toAmount(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point)
}
