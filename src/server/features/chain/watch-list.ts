import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/core/upsert.ts'
import { type Cursor, lockCursor, CursorMovedError } from './cursor.ts'
import type { TransferFilter } from './read-logs.ts'

/** The `next_block` of an address that is read up to the cursor and continues with it. */
export const readToCursor = Number.MAX_SAFE_INTEGER

export interface RegisteredToken {
  tokenSymbol: string
  projectName: string
  decimals: number
}

/** The tokens and wallets whose transfers are read. */
export interface WatchList {
  tokens: Map<string, RegisteredToken>
  wallets: Set<string>
  /**
   * The addresses that have advanced furthest of those whose earlier transfers are still to be read. `savedFrom` is the
   * progress in the database, `saveAt` the time of the next save.
   */
  backfill:
    | { kind: 'token' | 'wallet'; from: number; savedFrom: number; saveAt: number; addresses: string[] }
    | undefined
}

/** Filters by wallet while that needs few requests. Beyond that, reading all transfers of the tokens needs far fewer. */
const maxChunks = 5

function buildFilter(tokens: string[], wallets: ReadonlySet<string>, topicChunk: number): TransferFilter {
  return { tokens, wallets, isByWallet: wallets.size <= maxChunks * topicChunk }
}

export const currentFilter = ({ tokens, wallets }: WatchList, topicChunk: number): TransferFilter =>
  buildFilter([...tokens.keys()], wallets, topicChunk)

export function backfillFilter({ tokens, wallets, backfill }: WatchList, topicChunk: number): TransferFilter {
  const addresses = backfill?.addresses ?? []
  return backfill?.kind === 'token'
    ? buildFilter(addresses, wallets, topicChunk)
    : buildFilter([...tokens.keys()], new Set(addresses), topicChunk)
}

/** Addresses of one group: as many as one statement updates quickly. */
const maxBackfill = 50_000

export async function readBackfillGroup(tx: Tx, chainId: number): Promise<WatchList['backfill']> {
  const { rows } = await tx.execute<{ kind: 'token' | 'wallet'; from: string; addresses: string[] }>(sql`
    SELECT kind, next_block AS "from", array_agg(address ORDER BY address) AS addresses FROM (
      SELECT kind, next_block, address FROM chain_coverage
      WHERE chain_id = ${chainId} AND (kind, next_block) = (
        SELECT kind, next_block FROM chain_coverage WHERE chain_id = ${chainId} AND next_block <> ${readToCursor}
        ORDER BY next_block DESC, kind LIMIT 1)
      LIMIT ${maxBackfill}
    ) c GROUP BY 1, 2`)
  const [late] = rows
  return late && { ...late, from: Number(late.from), savedFrom: Number(late.from), saveAt: 0 }
}

/**
 * Requires that no address was added or removed and that tokens are unchanged. Hold the cursor's lock. Locks the tokens
 * until the transaction ends, so that a correction waits and then fixes the rows written here. Throws CursorMovedError.
 */
export async function requireUnchanged(tx: Tx, chainId: number, { tokens, wallets }: WatchList): Promise<void> {
  const registered = await tx.execute<RegisteredToken & { address: string; kind: string }>(sql`
    SELECT contract_address AS address, kind, decimals, token_symbol AS "tokenSymbol", project_name AS "projectName"
    FROM tokens WHERE contract_address = ANY(${textArray(tokens.keys())}) ORDER BY id FOR SHARE`)
  const byKind = registered.rows.toSorted((one, next) => (one.kind < next.kind ? 1 : -1))
  const now = new Map(byKind.map((token) => [token.address, token]))
  if ([...tokens].some(([address, token]) => !isSameToken(token, now.get(address))))
    throw new CursorMovedError('a token was put right')
  const { rows } = await tx.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM chain_coverage WHERE chain_id = ${chainId}`,
  )
  if (rows[0]?.count !== tokens.size + wallets.size)
    throw new CursorMovedError('another indexer took in tokens or wallets')
}

const isSameToken = (one: RegisteredToken, other: RegisteredToken | undefined) =>
  one.decimals === other?.decimals && one.tokenSymbol === other.tokenSymbol && one.projectName === other.projectName

/** Moves the backfill to before block `next`, or to the cursor. */
export async function advanceBackfill(tx: Tx, chainId: number, { backfill }: WatchList, next: number): Promise<void> {
  if (!backfill) return
  await tx.execute(sql`
    UPDATE chain_coverage SET next_block = ${next}
    WHERE chain_id = ${chainId} AND kind = ${backfill.kind} AND address = ANY(${textArray(backfill.addresses)})
      AND next_block = ${backfill.savedFrom}`)
}

/** Adds addresses, to be read from the start block; deposits of what is final now are history. Hold the cursor's lock. */
export async function addCoverage(
  tx: Tx,
  { chainId, doneBlock }: Pick<Cursor, 'chainId' | 'doneBlock'>,
  kind: 'token' | 'wallet',
  addresses: readonly string[],
  startBlock: number,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO chain_coverage (chain_id, kind, address, next_block, deposits_from)
    SELECT ${chainId}::int, ${kind}, address, ${startBlock > doneBlock ? readToCursor : startBlock}::bigint,
      ${doneBlock + 1}::bigint
    FROM unnest(${textArray(addresses)}) AS address ON CONFLICT DO NOTHING`)
}

/** Lowers the start block. Every address is read again from there. */
export async function lowerStartBlock(ctx: Ctx, cursor: Cursor, startBlock: number): Promise<void> {
  const { chainId } = ctx.chain
  await inTransaction(ctx, async (tx) => {
    await lockCursor(tx, chainId, cursor.doneBlock)
    await tx.execute(sql`SET LOCAL statement_timeout = 0`)
    await tx.execute(sql`UPDATE chain_cursors SET start_block = ${startBlock} WHERE chain_id = ${chainId}`)
    await tx.execute(sql`UPDATE chain_coverage SET next_block = ${startBlock} WHERE chain_id = ${chainId}`)
  })
}
