import * as z from 'zod/mini'
import { Timestamp, text } from './common.ts'
import { route } from './route.ts'

export const Admin = z.object({
  id: z.string(),
  username: z.string(),
  createdAt: Timestamp,
  lastSignInAt: z.nullable(Timestamp),
})
export type Admin = z.infer<typeof Admin>

/** SPEC section 5, Login. */
export const missingCredentials = 'Validation error: Please enter both username and password.'

// Absent, null or empty is the server's to refuse, in SPEC's own sentence.
const credential = z.optional(z.nullable(text(200)))
export const Credentials = z.strictObject({ username: credential, password: credential })

const AdminReply = z.object({ admin: Admin })

export const authRoutes = {
  currentUser: route({
    method: 'GET',
    path: '/api/auth/user',
    summary: 'The signed-in admin; 401 when nobody is signed in',
    reply: AdminReply,
  }),
  login: route({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in; sets the session cookie',
    body: Credentials,
    reply: AdminReply,
    access: 'public',
  }),
  logout: route({ method: 'POST', path: '/api/auth/logout', summary: 'Sign out; 204', access: 'public' }),
}
