import * as z from 'zod/mini'
import { deviceKinds } from '#contract/account-security.ts'
import { listNames, mostColumns } from '#contract/list.ts'
import { signInWays } from '#contract/oidc.ts'
import { permissions, roleNames } from '#contract/permissions.ts'
import type { RouteSchemas } from '#contract/route.ts'
import { viewListNames } from '#contract/views.ts'
import { Admin } from './auth.ts'
import { RowId, text, Timestamp } from './common.ts'

export const Role = z.enum(roleNames)

export const AccountAdmin = z.extend(Admin, { role: Role })
export type AccountAdmin = z.infer<typeof AccountAdmin>

const columnId = z.string().check(z.regex(/^\w{1,40}$/, 'must be the id of a column'))
const columnIds = z.array(columnId).check(z.maxLength(mostColumns, `must name at most ${mostColumns} columns`))
/** How an operator has the columns of a list. An id that is not one of its columns means nothing. */
export const ColumnChoice = z.strictObject({
  /** Those that have been moved, in their order; others follow. */
  order: columnIds,
  hidden: columnIds,
  /** Rows of 36 px instead of 44. */
  isCompact: z.boolean(),
})
export type ColumnChoice = z.infer<typeof ColumnChoice>

export const Account = z.object({
  admin: AccountAdmin,
  permissions: z.array(z.enum(permissions)),
  /** Whether others can sign in too. The console then names the operator in its sidebar. */
  hasOtherOperators: z.boolean(),
  /** By what this admin can sign in. */
  signInWays: z.array(z.enum(signInWays)),
  /** By the names of lists. */
  columns: z.record(z.string(), ColumnChoice),
  /** Lists over which saved views stand, so that each has its place before its views are counted. */
  viewedLists: z.array(z.enum(viewListNames)),
})
export type Account = z.infer<typeof Account>

export const accountSchemas = {
  read: { summary: "The signed-in admin's role, permissions and choice of columns", reply: Account },
  chooseColumns: {
    summary: 'Choose which columns of a list the signed-in admin sees, in which order, and how high its rows are',
    params: z.object({ list: z.enum(listNames, { error: `must be one of ${listNames.join(', ')}` }) }),
    body: ColumnChoice,
    reply: z.object({ message: z.string() }),
  },
} satisfies Record<string, RouteSchemas>

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
