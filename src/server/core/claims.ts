import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { AppError, formatInstant } from '#server/lib/errors.ts'

// A claim is a lease that keeps two operators off the same thing. It decides nothing, so it has no audit row.

/** What can be claimed, and where its claims are: a table with `admin_id`, `claimed_until` and the id of the thing. */
export interface ClaimKind {
  table: PgTable
  /** The primary key of the table: the id of what is claimed. */
  id: PgColumn
  leaseMinutes: number
  /** The refusal of another operator, whose name stands before the text. */
  refusal: { code: ErrorCode; text: string }
}

/** Who has a thing open, until when. */
export interface Claim {
  adminId: string
  by: string
  until: string
}

/** A claim of the operator. */
export interface OwnClaim {
  until: string
  /** Whether others see something else now. Renewing a lease changes nothing for them. */
  isNews: boolean
}

const nameOf = ({ id }: ClaimKind) => sql.identifier(id.name)

/** The claim on a thing that is valid by the database's clock. */
export async function readClaim(db: Db | Tx, kind: ClaimKind, id: string): Promise<Claim | undefined> {
  const { rows } = await db.execute<Claim & Record<string, unknown>>(sql`
    SELECT admin_id::text AS "adminId", a.username AS by, claimed_until AS until
    FROM ${kind.table} c JOIN admins a ON a.id = c.admin_id
    WHERE c.${nameOf(kind)} = ${id} AND claimed_until > clock_timestamp()`)
  const [claim] = rows
  return claim && { ...claim, until: toInstant(claim.until) }
}

/** An operator holds one thing of a kind. Locking their row makes two windows of one operator wait for each other. */
export async function lockOperator(tx: Tx, adminId: string): Promise<void> {
  await tx.execute(sql`SELECT id FROM admins WHERE id = ${adminId} FOR NO KEY UPDATE`)
}

/**
 * Claims the thing or renews the lease. Returns its end, or null if another operator holds the thing. That claim may be
 * newer than what this transaction has read, so only the upsert can tell.
 */
async function writeClaim(tx: Tx, kind: ClaimKind, adminId: string, id: string): Promise<string | null> {
  const { table, leaseMinutes } = kind
  const { rows } = await tx.execute<{ until: string }>(sql`
    INSERT INTO ${table} AS c (${nameOf(kind)}, admin_id, claimed_until)
    VALUES (${id}, ${adminId}, now() + make_interval(mins => ${leaseMinutes}))
    ON CONFLICT (${nameOf(kind)}) DO UPDATE SET admin_id = excluded.admin_id, claimed_until = excluded.claimed_until
      WHERE c.admin_id = excluded.admin_id OR c.claimed_until <= now()
    RETURNING claimed_until AS until`)
  return rows[0] ? toInstant(rows[0].until) : null
}

/** Releases all claims of the operator, except on `kept`. Returns whether there were any. */
export async function releaseClaims(tx: Tx, kind: ClaimKind, adminId: string, kept?: string): Promise<boolean> {
  const isOther = kept === undefined ? sql`true` : sql`${nameOf(kind)} <> ${kept}`
  const { rows } = await tx.execute<{ id: string }>(sql`
    DELETE FROM ${kind.table} WHERE admin_id = ${adminId} AND ${isOther} RETURNING admin_id AS id`)
  return rows.length > 0
}

/** Releases the operator's own claim on a thing. Returns whether there was one. */
export async function releaseClaim(tx: Tx, kind: ClaimKind, adminId: string, id: string): Promise<boolean> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    DELETE FROM ${kind.table} WHERE ${nameOf(kind)} = ${id} AND admin_id = ${adminId} RETURNING admin_id AS id`)
  return rows.length > 0
}

/** Claims the thing as the only one of its kind that the operator has. Null if another operator holds it. */
export async function holdClaim(tx: Tx, kind: ClaimKind, adminId: string, id: string): Promise<OwnClaim | null> {
  const before = await readClaim(tx, kind, id)
  const until = await writeClaim(tx, kind, adminId, id)
  if (until === null) return null
  const hasReleased = await releaseClaims(tx, kind, adminId, id)
  return { until, isNews: hasReleased || before?.adminId !== adminId }
}

/** The refusal of a thing that another operator holds. A claim that ended meanwhile names nobody. */
export function buildClaimedError({ refusal: { code, text } }: ClaimKind, claim: Claim | undefined): AppError {
  if (!claim) return new AppError(code, `Another operator ${text}`)
  const { by, until } = claim
  return new AppError(code, `${by} ${text}, until ${formatInstant(until)}`, { details: { by, until } })
}

/** The refusal of a thing that another operator holds, as it is in the database. */
export const readClaimedError = async (tx: Tx, kind: ClaimKind, id: string): Promise<AppError> =>
  buildClaimedError(kind, await readClaim(tx, kind, id))
