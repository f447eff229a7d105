import type { TransactionType } from '#contract/transactions.ts'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { isHash, quantity } from './blocks.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** One Transfer event of a token, as the chain has it; addresses and hashes in lower case. */
export interface Transfer {
  transactionHash: string
  logIndex: number
  blockNumber: number
  blockHash: string
  /** Seconds since 1970; undefined where the node does not say it with the log. */
  at: number | undefined
  tokenAddress: string
  fromAddress: string
  toAddress: string
  /** In the token's smallest unit. */
  raw: bigint
}

/** An address as a topic: 32 bytes. */
export const topicOf = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`

const addressTopic = /^0x0{24}[0-9a-f]{40}$/i
const amountData = /^0x[0-9a-f]{64}$/i
const addressOf = (topic: string) => `0x${topic.slice(26).toLowerCase()}`

/**
 * A log as a transfer; undefined for other events and for those of non-fungible tokens, which have one topic more. Throws
 * RpcError for what is no log, or one that the chain has taken back.
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

/** Whose transfer it is, seen from the members: between two of them it is the sender's; null for nobody's. */
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

/** A token's smallest units as an exact decimal. */
export function toAmount(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point)
}
