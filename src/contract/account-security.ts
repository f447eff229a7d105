import type { Routes } from './route.ts'
import type { accountSecuritySchemas } from './schemas/account.ts'

/** What a session was opened from. */
export const deviceKinds = ['computer', 'phone', 'tablet', 'program', 'unknown'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** How the signed-in admin's own account is kept (product 5.15). The first screen loads only `account.ts`. */
export const accountSecurityRoutes: Routes<typeof accountSecuritySchemas> = {
  sessions: { method: 'GET', path: '/api/account/sessions', access: 'admin' },
  endSession: { method: 'DELETE', path: '/api/account/sessions/:id', access: 'admin' },
  endOtherSessions: { method: 'DELETE', path: '/api/account/sessions', access: 'admin' },
  changePassword: { method: 'POST', path: '/api/account/password', access: 'admin', enrolment: true },
}
