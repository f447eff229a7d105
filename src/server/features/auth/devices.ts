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

/** What proves an earlier sign-in from a browser: its cookie, or the digest of the cookie that it sent before. */
export interface PresentedDevice {
  deviceToken: string | undefined
  deviceHash?: Buffer | undefined
}

/**
 * Remembers where an admin signed in. Returns the browser's token, null where it keeps the one whose digest it
 * presented, and whether the network is new to the admin.
 */
export async function rememberDevice(
  tx: Tx,
  adminId: string,
  { network, ...from }: PresentedDevice & { network: string },
): Promise<{ deviceToken: string | null; isNewPlace: boolean }> {
  const seen = await tx
    .select({ adminId: knownDevices.adminId })
    .from(knownDevices)
    .where(and(eq(knownDevices.adminId, adminId), eq(knownDevices.ipAddress, network)))
    .limit(1)
  const presented = from.deviceToken ? sha256(from.deviceToken) : from.deviceHash
  const keptHash = presented && (await isIssued(tx, presented)) ? presented : undefined
  const deviceToken = keptHash ? from.deviceToken : newToken()
  const deviceHash = keptHash ?? sha256(deviceToken ?? '')
  await tx
    .insert(knownDevices)
    .values({ adminId, ipAddress: network, deviceHash })
    .onConflictDoUpdate({
      target: [knownDevices.adminId, knownDevices.ipAddress, knownDevices.deviceHash],
      set: { lastSeenAt: sql`now()` },
    })
  return { deviceToken: deviceToken ?? null, isNewPlace: seen.length === 0 }
}

/** Remembers a browser without its network, so a sign-in from there is still reported as a new address. */
export async function rememberLinkedDevice(tx: Tx, adminId: string, presented: string | undefined): Promise<string> {
  const deviceToken = presented && (await isIssued(tx, sha256(presented))) ? presented : newToken()
  await tx
    .insert(knownDevices)
    .values({ adminId, ipAddress: 'sign-in link', deviceHash: sha256(deviceToken) })
    .onConflictDoNothing()
  return deviceToken
}

/** Whether we issued a token, to any admin: two admins who share a browser share it. */
async function isIssued(tx: Tx, deviceHash: Buffer): Promise<boolean> {
  const found = await tx
    .select({ adminId: knownDevices.adminId })
    .from(knownDevices)
    .where(eq(knownDevices.deviceHash, deviceHash))
    .limit(1)
  return found.length > 0
}
