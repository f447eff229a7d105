import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { recoveryCodeCount } from '#contract/factors.ts'
import type { Tx } from '#server/db/client.ts'
import { recoveryCodes } from '#server/db/tables/factors.ts'
import { sha256 } from '#server/lib/hash.ts'

/** Crockford's: without i, l, o and u, which are read as others. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 120 random bits, so that a digest without salt withstands search. */
const codeLength = 24

function makeCode(): string {
  const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/** As people type it: in either case, with or without hyphens and blanks, and with the letters that look alike. */
const normalizeCode = (code: string) =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/[il]/g, '1').replaceAll('o', '0')

const hashCode = (code: string) => sha256(normalizeCode(code))

/** Replaces an admin's codes. Returns the new ones, which are kept nowhere. */
export async function replaceRecoveryCodes(tx: Tx, adminId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, adminId)
  const codes = Array.from({ length: recoveryCodeCount }, makeCode)
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ adminId, hash: hashCode(code) })))
  return codes
}

export async function dropRecoveryCodes(tx: Tx, adminId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.adminId, adminId))
}

/** Uses a code up. Returns how many are left, or null if it is not one, or was used. */
export async function redeemRecoveryCode(tx: Tx, adminId: string, code: string): Promise<number | null> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(recoveryCodes.adminId, adminId), eq(recoveryCodes.hash, hashCode(code)), isNull(recoveryCodes.usedAt)),
    )
    .returning({ id: recoveryCodes.id })
  if (used.length === 0) return null
  return tx.$count(recoveryCodes, and(eq(recoveryCodes.adminId, adminId), isNull(recoveryCodes.usedAt)))
}
