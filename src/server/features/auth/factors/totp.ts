import { Secret, TOTP } from 'otpauth'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Ctx, Services } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { adminFactors } from '#server/db/tables/factors.ts'
import { openSeed } from './seed-key.ts'

const periodSeconds = 30
/** One step to either side, for clocks that differ and people who type slowly. */
const window = 1
const issuer = 'Back Office'

/** RFC 6238 with the values that every authenticator app knows. */
const buildTotp = (label: string, secret: Secret) =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds })

/** A new seed of 160 bits, with the address that apps read from a QR code. */
export function createSeed(username: string): { seed: Uint8Array; secret: string; uri: string } {
  const secret = new Secret({ size: 20 })
  return { seed: secret.bytes, secret: secret.base32, uri: buildTotp(username, secret).toString() }
}

/** The 30 seconds that a code belongs to, or null if it is not one of the present ones. */
export function findStep(seed: Uint8Array, code: string, atSeconds: number): number | null {
  const token = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const secret = new Secret({ buffer: new Uint8Array(seed).buffer })
  const delta = buildTotp('', secret).validate({ token, timestamp: atSeconds * 1000, window })
  return delta === null ? null : Math.floor(atSeconds / periodSeconds) + delta
}

/** In seconds since 1970: the database's clock, after any wait for a lock. */
export async function readCodeTime(tx: Tx, services: Services): Promise<number> {
  if (services.readCodeTime) return services.readCodeTime()
  const { rows } = await tx.execute<{ at: number }>(sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS at`)
  return rows[0]!.at
}

/**
 * The authenticator app that shows this code, whose step is used up, or null. The caller has locked the admin. Throws
 * if a seed was changed in the database.
 */
export async function acceptTotp(tx: Tx, ctx: Ctx, adminId: string, code: string): Promise<string | null> {
  const factors = await tx
    .select()
    .from(adminFactors)
    .where(and(eq(adminFactors.adminId, adminId), eq(adminFactors.kind, 'totp')))
    .orderBy(asc(adminFactors.id))
  const at = await readCodeTime(tx, ctx)
  for (const { id, secretEnc, keyId, lastStep } of factors) {
    // The table's check: an authenticator app has all three.
    const seed = await openSeed(ctx.config, adminId, { secretEnc: secretEnc!, keyId: keyId! })
    const step = findStep(seed, code, at)
    if (step === null || step <= lastStep!) continue
    await tx
      .update(adminFactors)
      .set({ lastStep: step, lastUsedAt: sql`now()` })
      .where(eq(adminFactors.id, id))
    return id
  }
  return null
}
