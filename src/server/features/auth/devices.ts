import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { knownDevices } from '#server/db/tables/auth.ts'
import { sha256 } from '#server/lib/hash.ts'
import { newToken } from './sessions.ts'

/** A cookie that proves an earlier sign-in from this browser. It grants no access. */
export const deviceCookie = 'device'
export const deviceMaxAgeSeconds = 365 * 24 * 3600

/** Whether this browser has signed in to the account before. Also runs without an account, to take the same time. */
export async function isKnownDevice(db: Db, adminId: string | null, deviceToken: string): Promise<boolean> {
  const found = await db
    .select({ adminId: knownDevices.adminId })
    .from(knownDevices)
    .where(and(sql`${knownDevices.adminId} = ${adminId}::bigint`, eq(knownDevices.deviceHash, sha256(deviceToken))))
    .limit(1)
  return found.length > 0
}

/** Remembers where an admin signed in. Returns the browser's token and whether the network is new to the admin. */
export async function rememberDevice(
  tx: Tx,
  adminId: string,
  from: { network: string; deviceToken: string | undefined },
): Promise<{ deviceToken: string; isNewPlace: boolean }> {
  const seen = await tx
    .select({ adminId: knownDevices.adminId })
    .from(knownDevices)
    .where(and(eq(knownDevices.adminId, adminId), eq(knownDevices.ipAddress, from.network)))
    .limit(1)
  const deviceToken = (await findIssuedToken(tx, from.deviceToken)) ?? newToken()
  await tx
    .insert(knownDevices)
    .values({ adminId, ipAddress: from.network, deviceHash: sha256(deviceToken) })
    .onConflictDoUpdate({
      target: [knownDevices.adminId, knownDevices.ipAddress, knownDevices.deviceHash],
      set: { lastSeenAt: sql`now()` },
    })
  return { deviceToken, isNewPlace: seen.length === 0 }
}

/** Remembers a browser without its network, so a sign-in from there is still reported as a new address. */
export async function rememberLinkedDevice(tx: Tx, adminId: string, presented: string | undefined): Promise<string> {
  const deviceToken = (await findIssuedToken(tx, presented)) ?? newToken()
  await tx
    .insert(knownDevices)
    .values({ adminId, ipAddress: 'sign-in link', deviceHash: sha256(deviceToken) })
    .onConflictDoNothing()
  return deviceToken
}

/** The token if we issued it, to any admin: two admins who share a browser share it. */
async function findIssuedToken(tx: Tx, token: string | undefined): Promise<string | undefined> {
  if (!token) return undefined
  const found = await tx
    .select({ adminId: knownDevices.adminId })
    .from(knownDevices)
    .where(eq(knownDevices.deviceHash, sha256(token)))
    .limit(1)
  return found.length > 0 ? token : undefined
}
