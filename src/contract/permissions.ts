import type { CallScope } from './scopes.ts'
import { listKeys } from './states.ts'

/** What an admin may do: a part of the console, and an action there. */
export const permissions = [
  'dashboard.view',
  'members.view',
  'members.ban',
  'notes.view',
  'notes.write',
  'documents.view',
  'kyc.view',
  'kyc.decide',
  'orders.view',
  'orders.decide',
  'bank.view',
  'bank.import',
  'bank.apply',
  'bank.policy',
  'bank.manage',
  'tokens.view',
  'tokens.manage',
  'transactions.view',
  'treasury.manage',
  'messages.view',
  'messages.send',
  'endpoints.manage',
  'security.view',
  'security.resolve',
  'audit.view',
  'exports.take',
  'views.share',
  'operators.manage',
  'approvals.rules',
] as const
export type Permission = (typeof permissions)[number]

export const roleLabels = { viewer: 'Viewer', reviewer: 'Reviewer', finance: 'Finance', super_admin: 'Super Admin' }
export const roleNames = listKeys(roleLabels)
export type Role = (typeof roleNames)[number]

/** A role that is absent may do nothing. */
export type Roles = Partial<Record<Role, readonly Permission[]>>

/** What each role may do (product 2.6). */
export const roles: Required<Roles> = {
  viewer: [
    'dashboard.view',
    'members.view',
    'notes.view',
    'kyc.view',
    'orders.view',
    'bank.view',
    'tokens.view',
    'transactions.view',
    'messages.view',
    'security.view',
    'audit.view',
    'exports.take',
  ],
  reviewer: [
    'dashboard.view',
    'members.view',
    'members.ban',
    'notes.view',
    'notes.write',
    'documents.view',
    'kyc.view',
    'kyc.decide',
    'views.share',
  ],
  finance: [
    'dashboard.view',
    'notes.view',
    'notes.write',
    'orders.view',
    'orders.decide',
    'bank.view',
    'bank.import',
    'bank.apply',
    'bank.policy',
    'bank.manage',
    'tokens.view',
    'transactions.view',
    'exports.take',
    'views.share',
  ],
  super_admin: permissions,
}

/** All permissions of a role, in the order of the list above. */
export const permissionsOf = (role: Role, table: Roles = roles): Permission[] =>
  permissions.filter((permission) => can({ role }, permission, table))

/** Whether an admin has a permission. Without a role of the table an admin may do nothing. */
export const can = ({ role }: { role: Role | null }, permission: Permission, table: Roles = roles): boolean =>
  (role && table[role]?.includes(permission)) ?? false

/**
 * Who may make a call. `public`: anyone. `platform:` and a scope: the platform with a key that has it. `provider`: the
 * KYC provider with a signature. `second factor`: who has given the right password and has yet to give a factor.
 * `admin`: any signed-in admin. A permission: admins who have it. A list of permissions: admins who have all of them.
 */
export type Access =
  | 'public'
  | `platform:${CallScope}`
  | 'provider'
  | 'second factor'
  | 'admin'
  | 'admin or platform'
  | Permission
  | readonly Permission[]

/** Only permissions are two words with a point between them: scopes of the platform have a colon before. */
const isPermission = (name: string): name is Permission => /^\w+\.\w+$/.test(name)

/** All permissions that a call requires. */
export const listPermissions = (access: Access): Permission[] => [access].flat().filter(isPermission)

/** Whether only a signed-in admin may make a call. */
export const isForAdmins = (access: Access): boolean => access === 'admin' || listPermissions(access).length > 0
