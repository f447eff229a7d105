import type { Routes } from './route.ts'
import type { authSchemas } from './schemas/auth.ts'

/** A session ends after this time without use, and after this time in any case (product 2.2). */
export const idleMinutes = 30
export const absoluteHours = 12

/** Product 9.5, Login. */
export const missingCredentials = 'Validation error: Please enter both username and password.'

/**
 * Sent with every answer to a signed-in admin: the seconds until the session ends, without activity and in any case, such as
 * `idle=1800, absolute=43200`.
 */
export const sessionEndHeader = 'x-session-ends'

export const authRoutes: Routes<typeof authSchemas> = {
  currentUser: {
    method: 'GET',
    path: '/api/auth/user',
    access: 'admin',
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    repeatable: true,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    repeatable: true,
  },
}
