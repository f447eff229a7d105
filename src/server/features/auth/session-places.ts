import { eq, sql } from 'drizzle-orm'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { sessions } from '#server/db/tables/auth.ts'
import { readSubnet } from '#server/http/client-address.ts'
import { describeBrowser } from './describe-device.ts'

/** More places of a session are not told apart: anyone who has its token could make any number of rows. */
const maxPlaces = 20

/** From where a session was opened. */
export interface SessionOrigin {
  ipAddress: string
  /** Its first 400 characters. */
  userAgent: string
}

export interface SessionPlace {
  /** The network and the kind of browser, without its version. */
  name: string
  network: string
  browser: string
}

const maxKnown = 500
const browsers = new Map<string, string>()

/** "Chrome" of "Chrome 142 on Windows". Remembered, because it is read in every call. */
function readBrowser(userAgent: string): string {
  const known = browsers.get(userAgent)
  if (known !== undefined) return known
  const browser = describeBrowser(userAgent)
  if (browsers.size >= maxKnown) browsers.clear()
  browsers.set(userAgent, browser)
  return browser
}

export function readPlace(ipAddress: string, userAgent: string): SessionPlace {
  const network = readSubnet(ipAddress)
  const browser = readBrowser(userAgent.toWellFormed().slice(0, 400))
  return { name: `${network} ${browser}`, network, browser }
}

interface UsedSession {
  sessionId: string
  admin: { username: string }
  openedFrom: SessionOrigin
}

/** A place where a session was not opened, and where its admin has not confirmed it since. */
interface NewPlace {
  place: SessionPlace
  /** Whether a security event tells of it, or of so many others that none follows. */
  isReported: boolean
}

/** The place of a call, if it is new for its session. Null: a known place. */
export async function findNewPlace(
  db: Db,
  { sessionId, openedFrom }: UsedSession,
  { ipAddress, userAgent }: SessionOrigin,
): Promise<NewPlace | null> {
  // Nearly every call: nothing has to be parsed or read.
  if (ipAddress === openedFrom.ipAddress && userAgent === openedFrom.userAgent) return null
  const place = readPlace(ipAddress, userAgent)
  if (place.name === readPlace(openedFrom.ipAddress, openedFrom.userAgent).name) return null
  const [session] = await db
    .select({ confirmed: sessions.confirmedPlaces, reported: sessions.reportedPlaces })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (session?.confirmed.includes(place.name)) return null
  return {
    place,
    isReported: !session || session.reported.includes(place.name) || session.reported.length >= maxPlaces,
  }
}

/** Raises one security event for each new place of a session. */
export async function reportNewPlace(
  ctx: Ctx,
  { sessionId, admin: { username }, openedFrom }: UsedSession,
  place: SessionPlace,
): Promise<void> {
  const before = readPlace(openedFrom.ipAddress, openedFrom.userAgent)
  await inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      UPDATE sessions SET reported_places = reported_places || ${place.name}::text
      WHERE id = ${sessionId} AND NOT ${place.name} = ANY(reported_places) AND cardinality(reported_places) < ${maxPlaces}
      RETURNING id::text`)
    if (rows.length === 0) return
    const changes = [
      place.network === before.network ? null : `another network (${place.network} instead of ${before.network})`,
      place.browser === before.browser ? null : `another browser (${place.browser} instead of ${before.browser})`,
    ]
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'session_new_place',
      description: `A session of ${username} is used from ${changes.filter(Boolean).join(' and ')} than at sign-in`,
      details: { username, sessionId, network: place.network, browser: place.browser },
    })
  })
}

/** Notes that the admin has authenticated here, so that further changes from here pass. */
export async function confirmPlace(tx: Tx, sessionId: string, { name }: SessionPlace): Promise<void> {
  await tx.execute(sql`
    UPDATE sessions SET confirmed_places = (${name}::text || array_remove(confirmed_places, ${name}::text))[1:${maxPlaces}::int]
    WHERE id = ${sessionId}`)
}
