import { RpcError } from '#server/adapters/json-rpc.ts'
import { type CallRpc, type RpcNodes, requireChain, ProvisionalResult } from '#server/adapters/rpc-providers.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Block, blockRequest, readBlock } from './blocks.ts'
import type { Cursor } from './cursor.ts'
import type { IndexerSettings } from './indexer-settings.ts'

/**
 * What the nodes report. Blocks up to `final` no longer change. A chain that contradicts blocks that were read as final
 * is either `replaced` by another, or `shorter` while nodes lag.
 */
export type ChainObservation =
  | { head: Block; final: number; contradiction?: undefined }
  | { contradiction: 'replaced' | 'shorter'; problem: ChainProblem }

/** Why the chain is not read: `code` for the code, `text` for people. */
export interface ChainProblem {
  code: 'chain_shorter' | 'chain_replaced' | 'logs_refused' | `chain_${string}`
  text: string
}

/**
 * Asks a node that has the blocks read so far. A node whose head does not move counts only if no other node's moves.
 * Throws AppError if no node answers.
 */
export async function observeChain(
  nodes: RpcNodes,
  cursor: Pick<Cursor, 'doneBlock' | 'doneHash'> | undefined,
  settings: Pick<IndexerSettings, 'confirmations' | 'confirmationsWithoutTag'>,
): Promise<ChainObservation> {
  let contradiction: ChainObservation | undefined
  try {
    return await nodes.read<ChainObservation>(async (call, node) => {
      const { head, tag, done } = await readHeads(call, cursor?.doneBlock)
      const found = cursor && findContradiction(cursor, head, done)
      if (found) {
        // A node that now serves another chain says nothing about this one.
        await requireChain(call, nodes.chainId)
        if (contradiction?.contradiction !== 'replaced') contradiction = found
        throw new RpcError('bad_response', 'the node has another chain than was read, or is behind it')
      }
      // A block this deep is final even if the `finalized` tag does not move, as when fast finality of BSC fails.
      const surely = head.number - settings.confirmationsWithoutTag
      const final = Math.max(0, surely, Math.min(tag?.number ?? surely, head.number - settings.confirmations))
      const seen = { head, final }
      return node.isStalled(head) ? new ProvisionalResult(seen, head.number, 'stands_still') : seen
    })
  } catch (error) {
    if (contradiction && error instanceof AppError) return contradiction
    throw error
  }
}

export type Contradiction = Extract<ChainObservation, { problem: ChainProblem }>

function findContradiction(
  { doneBlock, doneHash }: Pick<Cursor, 'doneBlock' | 'doneHash'>,
  head: Block,
  done: unknown,
): Contradiction | undefined {
  if (head.number < doneBlock)
    return {
      contradiction: 'shorter',
      problem: {
        code: 'chain_shorter',
        text: `the chain ends at block ${head.number}, but was read to block ${doneBlock}`,
      },
    }
  if (readBlock(done, doneBlock).hash === doneHash) return undefined
  return {
    contradiction: 'replaced',
    problem: { code: 'chain_replaced', text: `block ${doneBlock}, which was read as final, is another block now` },
  }
}

/** One call reads all headers. A node that refuses the `finalized` tag is asked again without it. */
async function readHeads(call: CallRpc, doneBlock: number | undefined) {
  const done = doneBlock === undefined ? [] : [blockRequest(doneBlock)]
  try {
    const [head, tag, at] = await call(blockRequest('latest'), blockRequest('finalized'), ...done)
    return { head: readBlock(head), tag: tag === null ? undefined : readBlock(tag), done: at }
  } catch (error) {
    const isRefusal = error instanceof RpcError && error.code !== undefined && error.failure !== 'busy'
    if (!isRefusal) throw error
  }
  const [head, at] = await call(blockRequest('latest'), ...done)
  return { head: readBlock(head), tag: undefined, done: at }
}

/** Reads the header of a block. Throws AppError if no node has it. */
export const readBlockAt = (nodes: RpcNodes, number: number): Promise<Block> =>
  nodes.read(async (call) => readBlock((await call(blockRequest(number)))[0], number))
