import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { authChallenges, type ChallengePurpose } from '#server/db/tables/factors.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { SealedSeed } from './seed-key.ts'

/** Who begins something, and for what. `sessionId` is null before there is a session. */
export interface ChallengeOwner {
  purpose: ChallengePurpose
  adminId: string
  sessionId: string | null
}

interface NewChallenge extends ChallengeOwner {
  value: string
  minutes: number
  seed?: SealedSeed
}

/** How many an admin may have open for one purpose; the oldest goes. */
const mostOpen = 10

const ownedBy = ({ purpose, adminId, sessionId }: ChallengeOwner) =>
  and(
    eq(authChallenges.purpose, purpose),
    eq(authChallenges.adminId, adminId),
    sql`${authChallenges.sessionId} IS NOT DISTINCT FROM ${sessionId}::bigint`,
  )

/** Stores the digest of a value that is valid once, until its time is over. Returns when. */
export async function openChallenge(tx: Tx, { value, minutes, seed, ...owner }: NewChallenge): Promise<string> {
  await tx.execute(sql`
    DELETE FROM auth_challenges WHERE id IN (
      SELECT id FROM auth_challenges WHERE admin_id = ${owner.adminId} AND purpose = ${owner.purpose}
      ORDER BY id DESC OFFSET ${mostOpen - 1})`)
  const [row] = await tx
    .insert(authChallenges)
    .values({ ...owner, ...seed, hash: sha256(value), expiresAt: sql`now() + make_interval(mins => ${minutes})` })
    .returning({ expiresAt: authChallenges.expiresAt })
  return row!.expiresAt
}

const isOpen = (value: string) =>
  and(
    eq(authChallenges.hash, sha256(value)),
    isNull(authChallenges.usedAt),
    gt(authChallenges.expiresAt, sql`clock_timestamp()`),
  )

/** Uses a value up. Of several at once, one gets the row; the others get null, as for an unknown or expired value. */
export async function redeemChallenge(tx: Tx, value: string, owner: ChallengeOwner) {
  const [row] = await tx
    .update(authChallenges)
    .set({ usedAt: sql`now()` })
    .where(and(isOpen(value), ownedBy(owner)))
    .returning()
  return row ?? null
}

/** Reads a value without using it up. */
export async function findChallenge(db: Db | Tx, value: string, owner: ChallengeOwner) {
  const [row] = await db
    .select()
    .from(authChallenges)
    .where(and(isOpen(value), ownedBy(owner)))
  return row ?? null
}

/** What a sign-in began with: `sign_in` the password, `oidc_sign_in` the provider. */
const signInPurposes = ['sign_in', 'oidc_sign_in'] as const
export type SignInPurpose = (typeof signInPurposes)[number]

/** A sign-in that has begun and whose second factor is missing. */
export interface PendingSignIn {
  adminId: string
  value: string
  purpose: SignInPurpose
}

/** Finds the sign-in of a cookie. Null if it was completed, or its time is over. */
export async function findPendingSignIn(db: Db, value: string): Promise<PendingSignIn | null> {
  const [row] = await db
    .select({ adminId: authChallenges.adminId, purpose: authChallenges.purpose })
    .from(authChallenges)
    .where(and(isOpen(value), inArray(authChallenges.purpose, signInPurposes)))
  const purpose = signInPurposes.find((each) => each === row?.purpose)
  return row && purpose ? { adminId: row.adminId, value, purpose } : null
}

/** Drops everything that an admin has begun. */
export async function dropChallenges(tx: Tx, adminId: string): Promise<void> {
  await tx.delete(authChallenges).where(eq(authChallenges.adminId, adminId))
}
