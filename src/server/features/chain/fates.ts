import { RpcError } from '#server/adapters/json-rpc.ts'
import type { CallRpc } from '#server/adapters/rpc-providers.ts'
import { type Block, blockRequest, isHash, quantity, readBlock } from './blocks.ts'
import type { LogReader } from './read-logs.ts'
import { readTransfer } from './transfers.ts'

/** A transfer whose log no node returns any more. */
export interface MissingTransfer {
  id: string
  transactionHash: string
  logIndex: number
  blockNumber: number
  blockHash: string
  tokenAddress: string
  fromAddress: string
  toAddress: string
  amountRaw: string
}

/**
 * What a node knows of a missing transfer. `mined`: the transaction is in the same block, only the log is missing.
 * `moved`: it is in another block, or waits to be mined. `reverted`: the receipt reports a failure, or contains no such
 * transfer. `unknown`: there is no such transaction.
 */
export type Fate = 'mined' | 'moved' | 'reverted' | 'unknown'
const fates: readonly Fate[] = ['mined', 'moved', 'reverted', 'unknown']

/** Transactions per HTTP call. */
const transactionsPerCall = 20

/** Asks every node that has this head and takes the best answer for each transfer. Undefined if none has it. */
export async function findFates(
  { nodes, timeoutMs }: LogReader,
  head: Block,
  missing: readonly MissingTransfer[],
): Promise<Fate[] | undefined> {
  const known = await nodes.readEach((call) => readFates(call, head, missing), timeoutMs)
  if (known.length === 0) return undefined
  return missing.map((_, at) => fates.find((fate) => known.some((each) => each[at] === fate))!)
}

async function readFates(call: CallRpc, head: Block, missing: readonly MissingTransfer[]): Promise<Fate[]> {
  const found: Fate[] = []
  for (let at = 0; at < missing.length; at += transactionsPerCall) {
    const some = missing.slice(at, at + transactionsPerCall)
    const requests = some.flatMap(({ transactionHash }) => [
      { method: 'eth_getTransactionReceipt', params: [transactionHash] },
      { method: 'eth_getTransactionByHash', params: [transactionHash] },
    ])
    const [latest, ...answers] = await call(blockRequest(head.number), ...requests)
    if (readBlock(latest, head.number).hash !== head.hash)
      throw new RpcError('bad_response', 'the node has another head than was read')
    found.push(...some.map((transfer, n) => judgeReceipt(transfer, answers[2 * n], answers[2 * n + 1])))
  }
  return found
}

function judgeReceipt(transfer: MissingTransfer, receipt: unknown, transaction: unknown): Fate {
  if (receipt === null) return transaction === null ? 'unknown' : 'moved'
  const { status, blockHash, logs } = Object(receipt) as Record<string, unknown>
  if (!isHash(blockHash) || !Array.isArray(logs)) throw new RpcError('bad_response', 'the node answers no receipt')
  if (quantity(status) === 0) return 'reverted'
  if (blockHash.toLowerCase() === transfer.blockHash) return 'mined'
  return logs.some((log) => isSameTransfer(transfer, log)) ? 'moved' : 'reverted'
}

function isSameTransfer({ tokenAddress, fromAddress, toAddress, amountRaw }: MissingTransfer, log: unknown): boolean {
  const other = readTransfer(log)
  return (
    other?.tokenAddress === tokenAddress &&
    other.fromAddress === fromAddress &&
    other.toAddress === toAddress &&
    other.raw === BigInt(amountRaw)
  )
}
