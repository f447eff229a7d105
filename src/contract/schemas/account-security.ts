import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { deviceKinds } from '#contract/account-security.ts'
import { RowId, text, Timestamp } from './common.ts'

export const AccountSession = z.object({
  id: z.string(),
  /** The session that asks. */
  isCurrent: z.boolean(),
  device: z.string(),
  deviceKind: z.enum(deviceKinds),
  userAgent: z.string(),
  ipAddress: z.string(),
  createdAt: Timestamp,
  lastActiveAt: Timestamp,
})
export type AccountSession = z.infer<typeof AccountSession>

// As long as what a sign-in takes. How long a new one may be is the policy's to say.
const password = text(200, 1)
export const PasswordChange = z.strictObject({ currentPassword: password, newPassword: password })

const SessionsEnded = z.object({ message: z.string(), endedSessions: z.number() })

export const accountSecuritySchemas = {
  sessions: {
    summary: 'The sessions of the signed-in admin; the one that asks first, then by last use',
    reply: z.object({ sessions: z.array(AccountSession) }),
  },
  endSession: {
    summary: 'End another session of the signed-in admin',
    params: z.object({ id: RowId }),
    reply: z.object({ message: z.string() }),
    refuses: ['own_session'],
  },
  endOtherSessions: { summary: 'End all other sessions of the signed-in admin', reply: SessionsEnded },
  changePassword: {
    summary: 'Change the password of the signed-in admin; ends all other sessions',
    body: PasswordChange,
    reply: SessionsEnded,
    refuses: ['invalid_credentials', 'too_many_requests'],
  },
} satisfies Record<string, RouteSchemas>
