import { sql } from 'drizzle-orm'
import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import type { SessionEnding } from '#contract/session-endings.ts'
import type { Tx } from '#server/db/client.ts'
import { endedSessions } from '#server/db/tables/auth.ts'

/** What the browser of an ended session reads (product 2.2). */
export const endingTexts: Record<SessionEnding, string> = {
  idle: `You were signed out after ${idleMinutes} minutes without use.`,
  age: `You were signed out ${absoluteHours} hours after signing in, as everybody is.`,
  newer_sessions: 'You were signed out here because you signed in on several other devices since.',
  ended_by_owner: 'You were signed out here from another browser that is signed in to your account.',
  ended_by_operator: 'Somebody who manages this console has signed you out.',
  password_changed: 'You were signed out here because your password was changed in another browser.',
  password_set: 'You were signed out because your password was set again. Sign in with the new one.',
  factors_changed: 'You were signed out here because a second factor was added or removed in another browser.',
  factors_reset: 'You were signed out because your second factors were taken away.',
  role_changed: 'You were signed out because your role was changed. Sign in again to go on with the new one.',
  disabled: 'You were signed out because your account was disabled. A super admin can enable it again.',
  provider_unlinked: 'You were signed out because your account is no longer linked to the sign-in provider.',
}

export interface Ending {
  [column: string]: unknown
  tokenHash: Buffer
  reason: SessionEnding
}

/** Keeps why sessions ended, for the browsers that still present their tokens. */
export async function noteEndings(tx: Tx, ended: readonly Ending[]): Promise<void> {
  if (ended.length === 0) return
  await tx
    .insert(endedSessions)
    .values(ended.map(({ tokenHash, reason }) => ({ tokenHash, reason })))
    .onConflictDoNothing()
}

/** How long an ending is kept, in SQL. */
export const endingKept = sql.raw(`interval '24 hours'`)
