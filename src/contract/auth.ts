import type { Routes } from './route.ts'
import type { authSchemas } from './schemas/auth.ts'

/** A session ends after this time without use, and after this time in any case (product 2.2). */
export const idleMinutes = 30
export const absoluteHours = 12

/** Product 9.5, Login. */
export const missingCredentials = 'Validation error: Please enter both username and password.'

export const passwordChangeRequired = 'Somebody else set your password or may know it: choose one of your own first'

/**
 * Sent with every answer to a signed-in admin: the seconds until the session ends, without activity and in any case,
 * such as `idle=1800, absolute=43200`.
 */
export const sessionEndHeader = 'x-session-ends'

export const authRoutes: Routes<typeof authSchemas> = {
  currentUser: { method: 'GET', path: '/api/auth/user', access: 'admin', enrolment: true },
  login: { method: 'POST', path: '/api/auth/login', access: 'public', repeatable: true },
  logout: { method: 'POST', path: '/api/auth/logout', access: 'public', repeatable: true },
  mfaOptions: { method: 'POST', path: '/api/auth/mfa/options', access: 'second factor', repeatable: true },
  mfaPasskey: { method: 'POST', path: '/api/auth/mfa/passkey', access: 'second factor' },
  mfaTotp: { method: 'POST', path: '/api/auth/mfa/totp', access: 'second factor' },
  mfaRecovery: { method: 'POST', path: '/api/auth/mfa/recovery', access: 'second factor' },
  stepUpOptions: {
    method: 'POST',
    path: '/api/auth/step-up/options',
    access: 'admin',
    confirms: true,
    enrolment: true,
    repeatable: true,
  },
  stepUp: { method: 'POST', path: '/api/auth/step-up', access: 'admin', confirms: true, enrolment: true },
}
