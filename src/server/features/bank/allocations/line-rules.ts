import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { requireUnclaimed } from './claims.ts'
import { fromUnits } from '#server/lib/decimal.ts'
import { getLeft, readStoredLines, type StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { AppError, formatInstant, invalidField, notFound } from '#server/lib/errors.ts'

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
