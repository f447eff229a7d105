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
  /** In pages: there may be more wallets than memory holds. */
  members: AsyncIterable<readonly string[]>
  own: readonly string[]
}

/** There are more wallets than a reading has time for. */
export class ReadingTooLongError extends Error {
  constructor(wallets: number) {
    super(
      `After ${readingMs / 1000} seconds only the first ${wallets.toLocaleString('en')} wallets of members were read, and a sum needs all of them`,
    )
  }
}

/** Balances per call: about what a node's limit of gas for one call allows, with room for costly tokens. */
const walletsPerCall = 400
const parallelCalls = 4
/** So many wallets keep all calls busy. */
export const walletsPerPage = walletsPerCall * parallelCalls
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

/**
 * Reads what all these wallets hold, all of one block. Throws ReadingTooLongError, and AppError like balances (adapters/chain.ts).
 */
export async function readHoldings(ctx: Ctx, { tokens, members, own }: HoldingsRequest) {
  const end = performance.now() + readingMs
  const block = await chooseBlock(ctx)
  const reader = await openReader(ctx, block, end)
  const holdings = tokens.map((contractAddress): Holdings => ({
    contractAddress,
    members: 0n,
    holders: 0,
    own: new Map(),
    supply: null,
    problem: null,
  }))
  await runInParallel(holdings, async (held) => {
    held.supply = await reader.readSupply(held.contractAddress)
    await readAmounts(reader, held, own, (amount, wallet) => held.own.set(wallet, amount))
  })
  let wallets = 0
  for await (const page of members) {
    if (performance.now() > end) throw new ReadingTooLongError(wallets)
    const parts = splitIntoChunks(page, walletsPerCall).flatMap((part) => holdings.map((held) => ({ held, part })))
    await runInParallel(parts, ({ held, part }) =>
      readAmounts(reader, held, part, (amount) => {
        held.members! += amount
        if (amount > 0n) held.holders++
      }),
    )
    wallets += page.length
  }
  return { block, wallets, holdings }
}

async function runInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const next = items.values()
  await Promise.all(
    Array.from({ length: parallelCalls }, async () => {
      for (const item of next) await work(item)
    }),
  )
}

type Reader = Awaited<ReturnType<typeof openReader>>

async function openReader({ chain: { nodes }, config }: Ctx, block: Block, end: number) {
  const { encodeFunctionData, erc20Abi } = await loadViem()
  // A call at the end has its usual time, so that no node is suspended for being slow.
  const call = (calls: ContractCall[]) =>
    callContractsAt(nodes, config.chain.multicall3, block, calls, Math.max(end - performance.now(), nodes.deadlineMs))
  const supply = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })
  const encodeBalance = (wallet: string) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet as `0x${string}`] })
  return {
    readSupply: async (token: string) => readUint((await call([{ to: token, data: supply }]))[0]!),
    readBalances: (token: string, wallets: readonly string[]) =>
      call(wallets.map((wallet) => ({ to: token, data: encodeBalance(wallet) }))),
  }
}

/** Passes what each wallet holds to `add`. A token that is not read of one wallet has no figures. */
async function readAmounts(
  reader: Reader,
  held: Holdings,
  wallets: readonly string[],
  add: (amount: bigint, wallet: string) => void,
): Promise<void> {
  if (held.problem || wallets.length === 0) return
  const rows = await reader.readBalances(held.contractAddress, wallets)
  const amounts = rows.map(readUint)
  const failed = amounts.indexOf(null)
  if (failed !== -1)
    Object.assign(held, { members: null, holders: 0, own: new Map(), problem: nameProblem(rows[failed]!) })
  // Another part of the same token may have failed meanwhile.
  if (held.problem === null) for (const [at, wallet] of wallets.entries()) add(amounts[at]!, wallet)
}

const nameProblem = ({ success, data }: CallResult) => (success && data === '0x' ? 'no_contract' : 'call_failed')
