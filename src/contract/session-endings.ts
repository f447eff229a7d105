import type { Routes } from './route.ts'
import type { sessionEndingSchemas } from './schemas/auth.ts'

/** Why a session ended, where nobody has signed out (product 2.2). */
export const sessionEndings = [
  'idle',
  'age',
  'newer_sessions',
  'ended_by_owner',
  'ended_by_operator',
  'password_changed',
  'password_set',
  'factors_changed',
  'factors_reset',
  'role_changed',
  'disabled',
  'provider_unlinked',
] as const
export type SessionEnding = (typeof sessionEndings)[number]

export const sessionEndingRoutes: Routes<typeof sessionEndingSchemas> = {
  read: { method: 'GET', path: '/api/auth/session-ending', access: 'public' },
}
