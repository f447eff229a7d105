import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import { type Ctx, adminOf, inTransaction } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { getLeft, readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { AppError, formatInstant, invalidField, notFound } from '#server/lib/errors.ts'
import { lineLeaseMinutes } from '#contract/bank-allocations.ts'
import { announce } from '#server/core/audit.ts'
import {
  buildClaimedError,
  type ClaimKind,
  holdClaim,
  lockOperator,
  readClaim,
  readClaimedError,
  releaseClaim,
} from '#server/core/claims.ts'
import { bankClaims } from '#server/db/tables/bank-allocations.ts'

/** Lines by their ids, locked in this order until the transaction ends. Throws not_found for one that there is not. */
export async function lockLines(tx: Tx, ids: readonly string[]): Promise<Map<string, StoredLine>> {
  if (ids.some((id) => !RowId.safeParse(id).success)) throw notFound('Bank line')
  const rows = await readStoredLines(
    tx,
    sql`WHERE l.id = ANY(${textArray(ids)}::bigint[]) ORDER BY l.id FOR NO KEY UPDATE OF l`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  if (ids.some((id) => !found.has(id))) throw notFound('Bank line')
  return found
}

/**
 * Throws where the operator may not give the locked line's money purposes: stale for another version than they saw, line_state
 * for one that is not booked, line_claimed while another has it open.
 */
export async function requireWorkable(
  tx: Tx,
  ctx: Ctx,
  stored: StoredLine,
  ifMatch: number | undefined,
): Promise<void> {
  if (ifMatch !== undefined && ifMatch !== stored.version) throw await buildStaleError(tx, stored)
  requireBooked(stored)
  await requireUnclaimed(tx, ctx, stored.id)
}

/** Throws line_state. */
export function requireBooked({ line }: StoredLine): void {
  if (line.booking !== 'booked') throw new AppError('line_state', 'The bank has not booked this line')
}

async function buildStaleError(tx: Tx, { id, line, allocated, version, state }: StoredLine): Promise<AppError> {
  const { rows } = await tx.execute<{ by: string; at: string }>(sql`
    SELECT coalesce(undone_by, made_by) AS by, coalesce(undone_at, made_at) AS at
    FROM bank_allocations WHERE line_id = ${id} ORDER BY coalesce(undone_at, made_at) DESC, id DESC LIMIT 1`)
  const [last] = rows
  const who = last ? `, by ${last.by} on ${formatInstant(toInstant(last.at))}` : ''
  const present = `${allocated} ${line.currency} of ${line.amount} ${line.currency} are applied`
  const message = `This line was changed meanwhile${who}: ${present}. Reload and decide again.`
  return new AppError('stale', message, { details: { version, status: state } })
}

/** Throws line_amount for more than the line has left. */
export function requireLeft(stored: StoredLine, wanted: bigint): void {
  const left = getLeft(stored)
  if (wanted <= left) return
  throw new AppError('line_amount', `Only ${fromUnits(left)} ${stored.line.currency} of this line are left`)
}

const countPlaces = (amount: string): number => /\.(\d*?)0*$/.exec(amount)?.[1]?.length ?? 0

/** Throws invalid for an amount of more places than its line has, and than 2. */
export function requirePlaces({ line }: StoredLine, amount: string, at: number): void {
  const places = Math.max(2, countPlaces(line.amount))
  if (countPlaces(amount) > places)
    throw invalidField(`allocations.${at}.amount`, `has at most ${places} places, as its line`)
}

/** The line that an operator has open. */
export const lineClaims: ClaimKind = {
  table: bankClaims,
  id: bankClaims.lineId,
  leaseMinutes: lineLeaseMinutes,
  refusal: { code: 'line_claimed', text: 'has this line open' },
}

/** Throws line_claimed while another operator has the line open. */
async function requireUnclaimed(tx: Tx, { actor }: Ctx, lineId: string): Promise<void> {
  const claim = await readClaim(tx, lineClaims, lineId)
  if (claim && !(actor.kind === 'admin' && actor.id === claim.adminId)) throw buildClaimedError(lineClaims, claim)
}

/** Throws not_found unless the id has the form of the database's ids. */
export function requireLineId(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Bank line')
  return id
}

/** Locks the line, so that a claim waits for a decision under way. Throws not_found. */
async function requireLine(tx: Tx, lineId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT id FROM bank_lines WHERE id = ${lineId} FOR KEY SHARE`)
  if (rows.length === 0) throw notFound('Bank line')
}

/**
 * Claims a line as the only one of the operator, or renews the lease. Throws not_found, and line_claimed with the name of the
 * other operator and the end of their lease.
 */
export async function claimLine(ctx: Ctx, id: string): Promise<{ claimedUntil: string }> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  return inTransaction(ctx, async (tx) => {
    await lockOperator(tx, adminId)
    await requireLine(tx, lineId)
    const claim = await holdClaim(tx, lineClaims, adminId, lineId)
    if (!claim) throw await readClaimedError(tx, lineClaims, lineId)
    if (claim.isNews) await announce(tx, 'bank')
    return { claimedUntil: claim.until }
  })
}

/** Releases the operator's own claim. Has no effect on a claim of another operator. Throws not_found. */
export async function releaseLine(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId } = adminOf(ctx)
  const lineId = requireLineId(id)
  await inTransaction(ctx, async (tx) => {
    if (await releaseClaim(tx, lineClaims, adminId, lineId)) await announce(tx, 'bank')
    else await requireLine(tx, lineId)
  })
}
