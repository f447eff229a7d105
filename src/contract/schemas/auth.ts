import * as z from 'zod/mini'
import { text, Timestamp } from './common.ts'

export const Admin = z.object({
  id: z.string(),
  username: z.string(),
  createdAt: Timestamp,
  lastSignInAt: z.nullable(Timestamp),
})
export type Admin = z.infer<typeof Admin>

// Absent, null or empty is the server's to refuse, in the sentence of product 9.5.
const credential = z.optional(z.nullable(text(200)))
export const Credentials = z.strictObject({ username: credential, password: credential })

const AdminReply = z.object({ admin: Admin })

export const authSchemas = {
  currentUser: {
    summary: 'The signed-in admin; 401 when nobody is signed in',
    reply: AdminReply,
  },
  login: {
    summary: 'Sign in; sets the session cookie',
    body: Credentials,
    reply: AdminReply,
  },
  logout: {
    summary: 'Sign out; 204',
  },
}
