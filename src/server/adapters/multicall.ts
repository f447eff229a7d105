import { RpcError } from './json-rpc.ts'
import type { Ask, Providers } from './rpc-providers.ts'

/** Many reads of contracts in one `eth_call`, all of one block, by Multicall3's `aggregate3`. */

/** Where Multicall3 stands on BSC, its testnet and most other chains. */
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

// Loaded at the first read: it takes a third of a second, and a console without a chain never needs it.
let loading: Promise<typeof import('viem')> | undefined
export const loadViem = () => (loading ??= import('viem'))

/** A row of results for each call. Throws RpcError `execution` where the whole call failed, as for want of gas. */
async function aggregate(ask: Ask, multicall3: string, calls: readonly ContractCall[]): Promise<CallResult[]> {
  const { decodeFunctionResult, encodeFunctionData, multicall3Abi } = await loadViem()
  const args = calls.map(({ to, data }) => ({ target: asHex(to), allowFailure: true, callData: asHex(data) }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  const [answer] = await ask({ method: 'eth_call', params: [{ to: multicall3, data }, 'latest'] })
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(answer))
    throw new RpcError('bad_response', 'the node answers an eth_call with something else')
  let rows: readonly { success: boolean; returnData: string }[]
  try {
    rows = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: asHex(answer) })
  } catch {
    throw new RpcError('bad_response', "the node's answer to an eth_call can't be decoded")
  }
  if (rows.length !== calls.length) throw new RpcError('bad_response', 'the node answers another eth_call')
  return rows.map(({ success, returnData }) => ({ success, data: returnData }))
}

const asHex = (value: string) => value as `0x${string}`
const atOnce = 4

/**
 * All calls in one; those that fail are asked again one by one, since a contract that burns all gas makes its neighbours
 * fail too, within the same deadline. A contract that fails alone is a row without success. Throws AppError when no node
 * answers.
 */
export async function callContracts(
  providers: Providers,
  multicall3: string,
  calls: readonly ContractCall[],
): Promise<CallResult[]> {
  const end = performance.now() + providers.deadlineMs
  const read = (some: readonly ContractCall[]) =>
    providers.read((ask) => aggregate(ask, multicall3, some), { deadlineMs: end - performance.now() })
  const alone = async (call: ContractCall): Promise<CallResult> => {
    const [row] = await read([call]).catch(asFailedRow)
    return row!
  }
  const results = await read(calls).catch((error: unknown) => asFailedRow(error, calls.length))
  const failed = [...results.keys()].filter((at) => !results[at]!.success)
  if (failed.length === 0 || calls.length === 1) return results
  const next = failed.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const at of next) results[at] = await alone(calls[at]!)
    }),
  )
  return results
}

function asFailedRow(error: unknown, count = 1): CallResult[] {
  if (error instanceof RpcError && error.failure === 'execution')
    return Array.from({ length: count }, () => ({ success: false, data: '0x' }))
  throw error
}
