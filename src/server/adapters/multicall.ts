import { RpcError } from './json-rpc.ts'
import { type CallRpc, type RpcNodes, ProvisionalResult, wrongNetworkError } from './rpc-providers.ts'

/** Many contract calls in one `eth_call`, from one block, by Multicall3's `aggregate3`. */

/** The address of Multicall3 on BSC, its testnet and most other chains. */
export const multicall3Address = '0xca11bde05977b3631167028862be2a173976ca11'

export interface ContractCall {
  to: string
  /** ABI-encoded call data. */
  data: string
}
export interface CallResult {
  success: boolean
  /** `0x` and hexadecimal digits. */
  data: string
}

// Loaded with the first read. It takes a third of a second, and a console without a chain never needs it.
let viem: Promise<typeof import('viem')> | undefined
export const loadViem = () => (viem ??= import('viem'))

/** The block of the results, or the final one that calls are made at (`pinned`). `at` is in seconds since 1970. */
interface BlockRef {
  number: number
  at: number
}
interface CallResults {
  /** The oldest block, if calls were made one by one. Undefined if all failed. */
  block: BlockRef | undefined
  /** One per call. */
  rows: CallResult[]
}

/** Multicall3's `getChainId()`, `getBlockNumber()` and `getCurrentBlockTimestamp()`. */
const blockCalls = ['0x3408e470', '0x42cbb15c', '0x0f28c97d']

/** Reads one 256-bit word. Null for anything else. */
export const readUint = ({ success, data }: CallResult) =>
  success && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : null

/**
 * Makes all calls in one, and reads the chain and block of the answer, because a node may now serve another chain.
 * Throws RpcError, `execution` if the whole call failed, for example because gas ran out.
 */
async function callAggregate(
  call: CallRpc,
  { chainId }: RpcNodes,
  multicall3: string,
  calls: readonly ContractCall[],
  pinned?: BlockRef,
): Promise<CallResults & { block: BlockRef }> {
  const { decodeFunctionResult, encodeFunctionData, multicall3Abi } = await loadViem()
  const args = [...blockCalls.map((data) => ({ to: multicall3, data })), ...calls].map(({ to, data }) => ({
    target: toHex(to),
    allowFailure: true,
    callData: toHex(data),
  }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  const [answer] = await call({ method: 'eth_call', params: [{ to: multicall3, data }, tagOf(pinned)] })
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(answer))
    throw new RpcError('bad_response', 'the node answers an eth_call with something else')
  let results: readonly { success: boolean; returnData: string }[]
  try {
    results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: toHex(answer) })
  } catch {
    throw new RpcError('bad_response', "the node's answer to an eth_call can't be decoded")
  }
  if (results.length !== args.length) throw new RpcError('bad_response', 'the node answers another eth_call')
  const rows = results.map(({ success, returnData }) => ({ success, data: returnData }))
  const [served, number, at] = rows.splice(0, blockCalls.length).map(readUint)
  if (typeof served !== 'bigint' || typeof number !== 'bigint' || typeof at !== 'bigint')
    throw new RpcError('bad_response', 'Multicall3 is not usable on this network')
  if (served !== BigInt(chainId)) throw wrongNetworkError(served, chainId)
  if (pinned && (Number(number) !== pinned.number || Number(at) !== pinned.at))
    throw new RpcError('bad_response', 'the node answers an eth_call from another block than was asked for')
  return { block: { number: Number(number), at: Number(at) }, rows }
}

const toHex = (value: string) => value as `0x${string}`
const tagOf = (pinned: BlockRef | undefined) => (pinned ? `0x${pinned.number.toString(16)}` : 'latest')
const parallelCalls = 4

/**
 * Makes all calls in one. Repeats failed ones alone, within the same deadline, because a contract that burns all gas
 * makes others fail. A contract that fails alone is a row without success. A node without new blocks counts only if no
 * other has newer ones. Throws AppError if no node answers.
 */
export async function callContracts(
  providers: RpcNodes,
  multicall3: string,
  calls: readonly ContractCall[],
  deadlineMs = providers.deadlineMs,
): Promise<CallResults> {
  const end = performance.now() + deadlineMs
  const read = (some: readonly ContractCall[]) =>
    providers.read(
      async (call, node) => {
        const results = await callAggregate(call, providers, multicall3, some)
        return node.isStalled(results.block)
          ? new ProvisionalResult(results, results.block.number, 'stands_still')
          : results
      },
      { deadlineMs: end - performance.now() },
    )
  const first = await read(calls).catch(ignoreExecution)
  const rows = first?.rows ?? calls.map(() => failedRow)
  let block = first?.block
  const failed = [...rows.keys()].filter((at) => !rows[at]!.success)
  if (failed.length === 0 || calls.length === 1) return { block, rows }
  const next = failed.values()
  await Promise.all(
    Array.from({ length: parallelCalls }, async () => {
      for (const at of next) {
        const alone = await read([calls[at]!]).catch(ignoreExecution)
        rows[at] = alone?.rows[0] ?? failedRow
        if (alone && !(block && block.number <= alone.block.number)) block = alone.block
      }
    }),
  )
  return { block, rows }
}

/**
 * Makes all calls at one block. Failed ones are repeated alone, and calls that are too many for a node in halves.
 * Throws AppError if no node answers, also if none has that block any more.
 */
export async function callContractsAt(
  providers: RpcNodes,
  multicall3: string,
  block: BlockRef,
  calls: readonly ContractCall[],
  deadlineMs: number,
): Promise<CallResult[]> {
  const end = performance.now() + deadlineMs
  const read = (some: readonly ContractCall[]) =>
    providers
      .read((call) => callAggregate(call, providers, multicall3, some, block), { deadlineMs: end - performance.now() })
      .catch(ignoreExecution)
  const readParts = async (some: readonly ContractCall[]): Promise<CallResult[]> => {
    const answer = await read(some)
    if (answer || some.length === 1) return answer?.rows ?? [failedRow]
    const half = Math.ceil(some.length / 2)
    return [...(await readParts(some.slice(0, half))), ...(await readParts(some.slice(half)))]
  }
  const rows = await readParts(calls)
  if (calls.length === 1) return rows
  // Of a contract that fails every call, one repetition is enough to know.
  const failed = rows.findIndex(({ success }) => !success)
  if (failed === -1) return rows
  const alone = (await read([calls[failed]!]))?.rows[0]
  if (!alone?.success) return rows
  for (const [at, row] of rows.entries()) if (!row.success) rows[at] = (await read([calls[at]!]))?.rows[0] ?? failedRow
  return rows
}

const failedRow: CallResult = { success: false, data: '0x' }

function ignoreExecution(error: unknown): undefined {
  if (!(error instanceof RpcError) || error.failure !== 'execution') throw error
}
