import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'
import { type Cursor, CursorMovedError } from './cursor.ts'
import type { LogReader, TransferFilter } from './read-logs.ts'
import { coveredWallets, listedWallets, type WatchedWallets } from './watched-wallets.ts'

/** The `next_block` of an address that is read up to the cursor and continues with it. */
export const readToCursor = Number.MAX_SAFE_INTEGER

export interface RegisteredToken {
  tokenSymbol: string
  projectName: string
  decimals: number
}

/** The tokens and wallets whose transfers are read. */
export interface WatchList {
  /** The cursor's `coverageVersion` that this holds for. */
  version: number
  tokens: Map<string, RegisteredToken>
  /** All wallets, while they are few enough to be named in requests. */
  namedWallets: ReadonlySet<string> | undefined
  /**
   * The addresses that have advanced furthest of those whose earlier transfers are still to be read. `savedFrom` is the
   * progress in the database, `saveAt` the time of the next save.
   */
  backfill:
    | { kind: 'token' | 'wallet'; from: number; savedFrom: number; saveAt: number; addresses: string[] }
    | undefined
}

/** Filters by wallet while few requests do. Beyond that, reading all transfers of the tokens needs far fewer. */
const maxChunks = 5

/** The most wallets that requests name. */
export const maxNamedWallets = (topicChunk: number) => maxChunks * topicChunk

type Reading = Readonly<{ ctx: Pick<Ctx, 'database' | 'chain'>; reader: Pick<LogReader, 'topicChunk'> }>

/** All wallets whose transfers are read. */
export const watchedWallets = (ctx: Reading['ctx'], { namedWallets }: WatchList): WatchedWallets =>
  namedWallets ? listedWallets(namedWallets) : coveredWallets(ctx)

export const currentFilter = ({ ctx }: Reading, watchList: WatchList): TransferFilter => ({
  tokens: [...watchList.tokens.keys()],
  wallets: watchedWallets(ctx, watchList),
  named: watchList.namedWallets,
})

export function backfillFilter(reading: Reading, watchList: WatchList): TransferFilter {
  const { backfill } = watchList
  const current = currentFilter(reading, watchList)
  if (backfill?.kind === 'token') return { ...current, tokens: backfill.addresses }
  const group = new Set(backfill?.addresses)
  const isNamed = group.size <= maxNamedWallets(reading.reader.topicChunk)
  return { ...current, wallets: listedWallets(group), named: isNamed ? group : undefined }
}

/** Addresses of one group: as many as one statement updates quickly. */
const maxBackfill = 50_000

/** Whether an address is behind the cursor, in the words of its index. */
export const isBehindCursor = sql.raw(`next_block <> ${readToCursor}`)

export async function readBackfillGroup(tx: Tx, chainId: number): Promise<WatchList['backfill']> {
  const { rows } = await tx.execute<{ kind: 'token' | 'wallet'; from: string; addresses: string[] }>(sql`
    SELECT kind, next_block AS "from", array_agg(address ORDER BY address) AS addresses FROM (
      SELECT kind, next_block, address FROM chain_coverage
      WHERE chain_id = ${chainId} AND ${isBehindCursor} AND (kind, next_block) = (
        SELECT kind, next_block FROM chain_coverage WHERE chain_id = ${chainId} AND ${isBehindCursor}
        ORDER BY next_block DESC, kind LIMIT 1)
      LIMIT ${maxBackfill}
    ) c GROUP BY 1, 2`)
  const [late] = rows
  return late && { ...late, from: Number(late.from), savedFrom: Number(late.from), saveAt: 0 }
}

/**
 * Requires that no address was added or removed and that tokens are unchanged. Needs the locked cursor. Locks the tokens
 * until the transaction ends, so that a correction waits and then fixes the rows written here. Throws CursorMovedError.
 */
export async function requireUnchanged(tx: Tx, locked: Cursor, { tokens, version }: WatchList): Promise<void> {
  if (locked.coverageVersion !== version) throw new CursorMovedError('another indexer took in tokens or wallets')
  const registered = await tx.execute<RegisteredToken & { address: string; kind: string }>(sql`
    SELECT contract_address AS address, kind, decimals, token_symbol AS "tokenSymbol", project_name AS "projectName"
    FROM tokens WHERE contract_address = ANY(${textArray(tokens.keys())}) ORDER BY id FOR SHARE`)
  const byKind = registered.rows.toSorted((one, next) => (one.kind < next.kind ? 1 : -1))
  const now = new Map(byKind.map((token) => [token.address, token]))
  if ([...tokens].some(([address, token]) => !isSameToken(token, now.get(address))))
    throw new CursorMovedError('a token was put right')
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
