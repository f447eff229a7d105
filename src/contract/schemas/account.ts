import * as z from 'zod/mini'
import { signInWays } from '#contract/oidc.ts'
import { permissions, roleNames } from '#contract/permissions.ts'
import { Admin } from './auth.ts'

export const Role = z.enum(roleNames)

export const AccountAdmin = z.extend(Admin, { role: Role })
export type AccountAdmin = z.infer<typeof AccountAdmin>

export const Account = z.object({
  admin: AccountAdmin,
  permissions: z.array(z.enum(permissions)),
  /** Whether others can sign in too. The console then names the operator in its sidebar. */
  hasOtherOperators: z.boolean(),
  /** By what this admin can sign in. */
  signInWays: z.array(z.enum(signInWays)),
})
export type Account = z.infer<typeof Account>

export const accountSchemas = { read: { summary: "The signed-in admin's role and permissions", reply: Account } }
