import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError, formatInstant } from '#server/lib/errors.ts'

/** Who has a line open, until when. */
export interface LineClaim {
  adminId: string
  by: string
  until: string
}

/** The claim on a line that is valid by the database's clock. */
export async function readClaim(db: Db | Tx, lineId: string): Promise<LineClaim | undefined> {
  const { rows } = await db.execute<LineClaim & Record<string, unknown>>(sql`
    SELECT admin_id::text AS "adminId", a.username AS by, claimed_until AS until
    FROM bank_claims c JOIN admins a ON a.id = c.admin_id WHERE line_id = ${lineId} AND claimed_until > clock_timestamp()`)
  const [claim] = rows
  return claim && { ...claim, until: toInstant(claim.until) }
}

export const claimedError = ({ by, until }: LineClaim): AppError =>
  new AppError('line_claimed', `${by} has this line open, until ${formatInstant(until)}`, { details: { by, until } })

/** Throws line_claimed while another operator has the line open. */
export async function requireUnclaimed(tx: Tx, { actor }: Ctx, lineId: string): Promise<void> {
  const claim = await readClaim(tx, lineId)
  if (claim && !(actor.kind === 'admin' && actor.id === claim.adminId)) throw claimedError(claim)
}
