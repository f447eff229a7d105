import { and, eq, sql } from 'drizzle-orm'
import type { ContractCheck } from '#contract/schemas/chain.ts'
import type { ContractFacts } from '#server/adapters/chain.ts'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { SharedRequests } from '#server/lib/shared-requests.ts'
import { announce } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import { tokens } from '#server/db/tables/tokens.ts'
import { AppError } from '#server/lib/errors.ts'
import { tidyAddress } from './save.ts'

/** Nobody waits longer for a hint while filling in a form. */
const timeLimitMs = 3000
const overloaded = 'Too many contracts are being read; try again in a moment'

const requestsByChain = new WeakMap<Ctx['chain'], SharedRequests<ContractFacts>>()

/** Reads a contract. Throws AppError if the chain cannot be read. */
function readContract({ chain }: Ctx, address: string): Promise<ContractFacts> {
  const requests = requestsByChain.get(chain) ?? new SharedRequests<ContractFacts>(chain.nodes.deadlineMs, overloaded)
  requestsByChain.set(chain, requests)
  return requests.get(address, () => chain.reader.contract(address))
}

const emptyFacts = { name: null, symbol: null, decimals: null }

/**
 * Reads a contract for a form that is being filled in. Answers within three seconds, whatever the chain does. Throws
 * invalid for an address with a wrong checksum.
 */
export async function checkContract(ctx: Ctx, given: string): Promise<ContractCheck> {
  const address = tidyAddress(given, 'address')
  if (ctx.chain.mode === 'off') return { state: 'off', ...emptyFacts }
  const facts = await withTimeLimit(timeLimitMs, readContract(ctx, address)).catch(ignoreChainAway)
  if (!facts) return { state: 'unreachable', ...emptyFacts }
  const { hasCode, ...words } = facts
  return { state: hasCode || hasAnyFact(words) ? 'read' : 'no_contract', ...words }
}

const hasAnyFact = (words: Omit<ContractFacts, 'hasCode'>) => Object.values(words).some((word) => word !== null)

const isChainAway = (error: unknown) => error instanceof AppError || error instanceof RpcError

function ignoreChainAway(error: unknown): undefined {
  if (!isChainAway(error)) throw error
}

/** Undefined if the work takes longer. Its result is then ignored. */
async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)))
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Tokens per run, and the pause after a token that could not be read. */
const tokensPerTurn = 20
const skipMs = 60_000
/** Until when by `performance.now()`, which no change of the clock moves. */
const skippedTokens = new WeakMap<Ctx['chain'], Map<string, number>>()

/**
 * Reads the contracts of tokens that were never read, and again those read long ago: a proxy may change, and a contract
 * may be deployed after it is registered. While the chain is away nothing changes.
 */
export async function checkTokens(ctx: Ctx, stop: AbortSignal): Promise<void> {
  if (ctx.chain.mode === 'off') return
  const resting = skippedTokens.get(ctx.chain) ?? new Map<string, number>()
  skippedTokens.set(ctx.chain, resting)
  for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id)
  for (const { id, contractAddress } of await findDueTokens(ctx, [...resting.keys()])) {
    if (stop.aborted) return
    try {
      await saveFacts(ctx, id, contractAddress, await readContract(ctx, contractAddress))
      // A successful read shows that earlier failures may only have met a chain that was away.
      resting.clear()
    } catch (error) {
      if (!isChainAway(error)) throw error
      // A contract that no node can read must not block the others. The next run continues after it.
      resting.set(id, performance.now() + skipMs)
      return
    }
  }
}

const findDueTokens = ({ database: { db } }: Ctx, resting: readonly string[]) =>
  db
    .select({ id: tokens.id, contractAddress: tokens.contractAddress })
    .from(tokens)
    .where(
      sql`(${tokens.chainCheckedAt} IS NULL OR ${tokens.chainCheckedAt}
          < now() - CASE WHEN ${tokens.chainDecimals} IS NULL THEN interval '10 minutes' ELSE interval '1 day' END)
        AND NOT (${tokens.id} = ANY(${sql.param(resting)}::bigint[]))`,
    )
    .orderBy(sql`${tokens.chainCheckedAt} NULLS FIRST`, tokens.id)
    .limit(tokensPerTurn)

/** Stores what the contract says. This is not a change of the token: no version, no audit row, no event. */
async function saveFacts(ctx: Ctx, id: string, contractAddress: string, facts: ContractFacts) {
  const { hasCode, name, symbol, decimals } = facts
  await inTransaction(ctx, async (tx) => {
    const [before] = await tx
      .select()
      .from(tokens)
      .where(and(eq(tokens.id, id), eq(tokens.contractAddress, contractAddress)))
      .for('no key update')
    if (!before) return
    await tx
      .update(tokens)
      .set({
        chainHasCode: hasCode,
        chainName: name,
        chainSymbol: symbol,
        chainDecimals: decimals,
        chainCheckedAt: sql`now()`,
      })
      .where(eq(tokens.id, id))
    const isNew =
      before.chainHasCode !== hasCode ||
      before.chainName !== name ||
      before.chainSymbol !== symbol ||
      before.chainDecimals !== decimals
    if (isNew) await announce(tx, 'tokens')
  })
}
