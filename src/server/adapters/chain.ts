import type { WalletBalance } from '#contract/schemas/wallets.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import { AppError } from '#server/lib/errors.ts'
import { readUint, callContracts, type CallResult, type ContractCall, loadViem } from './multicall.ts'
import { type RpcNodes, stalledAfterMs } from './rpc-providers.ts'

/** The parts of a registered token that a balance needs. */
export interface TokenContract {
  tokenSymbol: string
  contractAddress: string
  /** 0 to 18. */
  decimals: number
}

/** What a contract answers. Null for what cannot be read. */
export interface ContractFacts {
  hasCode: boolean
  name: string | null
  symbol: string | null
  decimals: number | null
}

/** Reads the chain. Addresses are lower case. */
export interface ChainReader {
  /**
   * The balance of a wallet in these tokens and the chain's coin, all from one block. Tokens that cannot be read are
   * listed in `failed`, never as zero. Throws AppError: chain_disabled, chain_unavailable, chain_busy, chain_timeout,
   * chain_wrong_network, chain_method_missing, chain_batch_refused, chain_request_refused, and chain_bad_response, also
   * if no token could be read.
   */
  balance(address: string, tokens: readonly TokenContract[], deadlineMs?: number): Promise<WalletBalance>
  /** Throws AppError like `balance`. */
  contract(address: string): Promise<ContractFacts>
}

/** Replaces the reader while there is no chain. Every call throws `why`. */
export function createDisabledChain(why: string): ChainReader {
  const refuse = async (): Promise<never> => {
    throw new AppError('chain_disabled', why)
  }
  return { balance: refuse, contract: refuse }
}

/** The decimals of the total, which adds amounts of different tokens. */
const totalDecimals = 18

/** Reads through these nodes and the Multicall3 at this address. */
export const createChainReader = (providers: RpcNodes, multicall3: string): ChainReader => ({
  balance: (address, tokens, deadlineMs) => readBalance(providers, multicall3, { address, tokens, deadlineMs }),
  contract: (address) => readContract(providers, multicall3, address),
})

interface BalanceRequest {
  address: string
  tokens: readonly TokenContract[]
  deadlineMs: number | undefined
}

async function readBalance(
  providers: RpcNodes,
  multicall3: string,
  { address: wallet, tokens, deadlineMs }: BalanceRequest,
): Promise<WalletBalance> {
  const { encodeFunctionData, erc20Abi, formatUnits, multicall3Abi } = await loadViem()
  const owner = wallet as `0x${string}`
  // A contract registered under both kinds is called once, with the decimals of the first.
  const isFirst = ({ contractAddress }: TokenContract, at: number) =>
    tokens.findIndex((other) => other.contractAddress.toLowerCase() === contractAddress.toLowerCase()) === at
  const distinct = tokens.filter(isFirst)
  const known = distinct.map((token) => ({ token, address: parseAddress(token.contractAddress) }))
  const asked = known.filter((each): each is { token: TokenContract; address: string } => each.address !== null)
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const calls: ContractCall[] = [
    { to: multicall3, data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [owner] }) },
    ...asked.map(({ address }) => ({ to: address, data: balanceOf })),
  ]
  const { block, rows: all } = await callContracts(providers, multicall3, calls, deadlineMs)
  const [nativeRow, ...rows] = all
  const native = readUint(nativeRow!)
  if (native === null || !block) throw new AppError('chain_bad_response', 'Multicall3 is not usable on this network')

  const answered = asked.map(({ token }, at) => ({ token, row: rows[at]!, amount: readUint(rows[at]!) }))
  const read = answered.flatMap(({ token, amount }) => (amount === null ? [] : [{ token, amount }]))
  if (distinct.length > 0 && read.length === 0)
    throw new AppError('chain_bad_response', 'No registered token could be read from the blockchain')
  const total = read.reduce(
    (sum, { token, amount }) => sum + amount * 10n ** BigInt(totalDecimals - token.decimals),
    0n,
  )
  const failed = [
    ...known.flatMap(({ token, address }) =>
      address === null ? [{ tokenSymbol: token.tokenSymbol, error: 'bad_address' as const }] : [],
    ),
    ...answered.flatMap(({ token, row, amount }) =>
      amount === null ? [{ tokenSymbol: token.tokenSymbol, error: describeUnread(row) }] : [],
    ),
  ]
  return {
    totalBalance: formatUnits(total, totalDecimals),
    tokens: read.map(({ token, amount }) => ({
      tokenSymbol: token.tokenSymbol,
      balance: formatUnits(amount, token.decimals),
    })),
    nativeBalance: formatUnits(native, 18),
    blockNumber: block.number.toString(),
    blockAt: new Date(block.at * 1000).toISOString(),
    isOld: !providers.isMinedOnDemand && Date.now() - block.at * 1000 > stalledAfterMs,
    chainId: providers.chainId,
    partial: failed.length > 0,
    failed,
  }
}

const describeUnread = ({ success, data }: CallResult): WalletBalance['failed'][number]['error'] =>
  success && data === '0x' ? 'no_contract' : 'call_failed'

async function readContract(providers: RpcNodes, multicall3: string, address: string): Promise<ContractFacts> {
  const { encodeFunctionData, erc20Abi } = await loadViem()
  const call = (functionName: 'name' | 'symbol' | 'decimals') => ({
    to: address,
    data: encodeFunctionData({ abi: erc20Abi, functionName }),
  })
  const [code, { rows }] = await Promise.all([
    providers.read(async (call) => (await call({ method: 'eth_getCode', params: [address, 'latest'] }))[0]),
    callContracts(providers, multicall3, [call('name'), call('symbol'), call('decimals')]),
  ])
  const [name, symbol, decimals] = rows
  const places = readUint(decimals!)
  return {
    hasCode: typeof code === 'string' && code !== '0x',
    name: await decodeText(name!),
    symbol: await decodeText(symbol!),
    decimals: places !== null && places <= 255n ? Number(places) : null,
  }
}

/** Decodes a string, or the bytes32 of some old tokens. */
async function decodeText({ success, data }: CallResult): Promise<string | null> {
  if (!success || data === '0x') return null
  const { decodeAbiParameters, hexToString } = await loadViem()
  const hex = data as `0x${string}`
  try {
    const text = data.length === 66 ? hexToString(hex, { size: 32 }) : decodeAbiParameters([{ type: 'string' }], hex)[0]
    return text.replaceAll('\0', '').trim().slice(0, 200) || null
  } catch {
    return null
  }
}
