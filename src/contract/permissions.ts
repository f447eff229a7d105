import type { CallScope } from './scopes.ts'

/** What an admin may do: a part of the console, and an action there. */
export const permissions = [
  'dashboard.view',
  'members.view',
  'members.ban',
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
  'operators.manage',
] as const
export type Permission = (typeof permissions)[number]

/** The permissions in words, for refusals and the API description. */
export const permissionLabels: Record<Permission, string> = {
  'dashboard.view': "View the dashboard's figures",
  'members.view': 'View members and their wallets',
  'members.ban': 'Ban and unban members',
  'documents.view': 'View identity documents',
  'kyc.view': 'View KYC submissions and verifications',
  'kyc.decide': 'Approve, reject and reset KYC',
  'orders.view': 'View orders',
  'orders.decide': 'Mark orders paid, and cancel them',
  'bank.view': 'View bank accounts, statements and their lines',
  'bank.import': 'Import bank statements',
  'bank.apply': 'Apply bank money to orders, put it aside, and undo that',
  'bank.policy': 'Change the reconciliation policy',
  'bank.manage': 'Add and change bank accounts',
  'tokens.view': 'View tokens',
  'tokens.manage': 'Add tokens, and switch them on and off',
  'transactions.view': 'View transactions, the state of the chain and the treasury',
  'treasury.manage': "Add, label and remove the platform's own wallets",
  'messages.view': 'View messages to and from the platform and the KYC provider',
  'messages.send': 'Send messages again, and KYC cases to the provider',
  'endpoints.manage': "Add, change and delete the platform's endpoints, and their secrets",
  'security.view': 'View security events',
  'security.resolve': 'Resolve security events',
  'audit.view': 'View the log of admin actions',
  'exports.take': 'Export lists and reports as CSV',
  'operators.manage': 'Invite operators, change their roles, disable them and end their sessions',
}

export const roleNames = ['viewer', 'reviewer', 'finance', 'super_admin'] as const
export type Role = (typeof roleNames)[number]

export const roleLabels: Record<Role, string> = {
  viewer: 'Viewer',
  reviewer: 'Reviewer',
  finance: 'Finance',
  super_admin: 'Super Admin',
}

/** A role that is absent may do nothing. */
export type Roles = Partial<Record<Role, readonly Permission[]>>

/** What each role may do (product 2.6). */
export const roles: Required<Roles> = {
  viewer: [
    'dashboard.view',
    'members.view',
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
  reviewer: ['dashboard.view', 'members.view', 'members.ban', 'documents.view', 'kyc.view', 'kyc.decide'],
  finance: [
    'dashboard.view',
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
 * Who may make a call. `public`: anyone. `platform:` and a scope: the platform with a key that has it. `provider`: the KYC
 * provider with a signature. `second factor`: who has given the right password and has yet to give a factor. `admin`: any
 * signed-in admin. A permission: admins who have it. A list of permissions: admins who have all of them.
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

const isPermission = (name: string): name is Permission => permissions.some((permission) => permission === name)

/** All permissions that a call requires. */
export const listPermissions = (access: Access): Permission[] => [access].flat().filter(isPermission)

/** Whether only a signed-in admin may make a call. */
export const isForAdmins = (access: Access): boolean => access === 'admin' || listPermissions(access).length > 0

/** The message of a refusal that lists the missing permissions. */
export const describeMissing = (missing: readonly Permission[]): string => {
  const named = missing.map((permission) => `“${permissionLabels[permission]}” (${permission})`)
  const list = new Intl.ListFormat('en-GB').format(named)
  return `This needs the permission${missing.length > 1 ? 's' : ''} ${list}, which you do not have`
}
