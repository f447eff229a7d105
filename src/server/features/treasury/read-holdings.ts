import { type CallResult, callContractsAt, type ContractCall, loadViem, readUint } from '#server/adapters/multicall.ts'
import { ProvisionalResult } from '#server/adapters/rpc-providers.ts'
import type { Ctx } from '#server/core/context.ts'
import {
  type Block,
  blockRequest,
  readBlock,
  readBlockAt,
  resolveIndexerSettings,
} from '#server/features/chain/service.ts'
import { splitIntoChunks } from '#server/lib/chunks.ts'

/** What is held of one token, in its smallest unit. */
export interface Holdings {
  contractAddress: string
  /** Null where `problem` says why. */
  members: bigint | null
  holders: number
  own: Map<string, bigint>
  /** Null also where the contract does not say it. */
  supply: bigint | null
  problem: 'no_contract' | 'call_failed' | null
}

interface HoldingsRequest {
  tokens: readonly string[]
  members: readonly string[]
  own: readonly string[]
}

/** Balances per call: about what a node's limit of gas for one call allows, with room for costly tokens. */
const walletsPerCall = 400
const parallelTokens = 4
/** Within the time that a node without history keeps the state of a block of BSC. */
const readingMs = 45_000

/** A block that will stay, and whose state nodes still have. A local chain keeps its newest block. */
async function chooseBlock(ctx: Ctx): Promise<Block> {
  const { nodes } = ctx.chain
  const head = await nodes.read(async (call, node) => {
    const block = readBlock((await call(blockRequest('latest')))[0])
    return node.isStalled(block) ? new ProvisionalResult(block, block.number, 'stands_still') : block
  })
  if (nodes.isMinedOnDemand) return head
  return readBlockAt(nodes, Math.max(0, head.number - resolveIndexerSettings(ctx).confirmations))
}

/** Reads what all these wallets hold, all of one block. Throws AppError like balances (adapters/chain.ts). */
export async function readHoldings(
  ctx: Ctx,
  request: HoldingsRequest,
): Promise<{ block: Block; holdings: Holdings[] }> {
  const end = performance.now() + readingMs
  const block = await chooseBlock(ctx)
  const holdings: Holdings[] = []
  const next = request.tokens.entries()
  await Promise.all(
    Array.from({ length: parallelTokens }, async () => {
      for (const [at, token] of next) holdings[at] = await readToken(ctx, { ...request, token, block, end })
    }),
  )
  return { block, holdings }
}

interface TokenRequest extends Omit<HoldingsRequest, 'tokens'> {
  token: string
  block: Block
  /** By `performance.now()`. */
  end: number
}

async function readToken(ctx: Ctx, { token, members, own, block, end }: TokenRequest): Promise<Holdings> {
  const { encodeFunctionData, erc20Abi } = await loadViem()
  const call = (calls: ContractCall[]) =>
    callContractsAt(ctx.chain.nodes, ctx.config.chain.multicall3, block, calls, end - performance.now())
  const balanceOf = (wallet: string): ContractCall => ({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet as `0x${string}`] }),
  })
  const [supply] = await call([{ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }) }])
  const held: Holdings = {
    contractAddress: token,
    members: 0n,
    holders: 0,
    own: new Map(),
    supply: readUint(supply!),
    problem: null,
  }
  const ownSet = new Set(own)
  const memberSet = new Set(members)
  for (const wallets of splitIntoChunks([...new Set([...members, ...own])], walletsPerCall)) {
    const rows = await call(wallets.map(balanceOf))
    for (const [at, wallet] of wallets.entries()) {
      const amount = readUint(rows[at]!)
      if (amount === null)
        return { ...held, members: null, holders: 0, own: new Map(), problem: nameProblem(rows[at]!) }
      if (ownSet.has(wallet)) held.own.set(wallet, amount)
      if (!memberSet.has(wallet)) continue
      held.members! += amount
      if (amount > 0n) held.holders++
    }
  }
  return held
}

const nameProblem = ({ success, data }: CallResult) => (success && data === '0x' ? 'no_contract' : 'call_failed')
