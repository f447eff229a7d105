/** What an admin can be allowed to do: a part of the console, and what is done there. */
export const permissions = [
  'dashboard.view',
  'members.view',
  'members.ban',
  'documents.view',
  'kyc.view',
  'kyc.decide',
  'orders.view',
  'orders.decide',
  'tokens.view',
  'tokens.manage',
  'transactions.view',
  'messages.view',
  'messages.send',
  'endpoints.manage',
  'security.view',
  'security.resolve',
  'audit.view',
  'exports.take',
] as const
export type Permission = (typeof permissions)[number]

/** What each permission allows, as refusals and the API description say it. */
export const permissionLabels: Record<Permission, string> = {
  'dashboard.view': "View the dashboard's figures",
  'members.view': 'View members and their wallets',
  'members.ban': 'Ban and unban members',
  'documents.view': 'View identity documents',
  'kyc.view': 'View KYC submissions and verifications',
  'kyc.decide': 'Approve, reject and reset KYC',
  'orders.view': 'View orders',
  'orders.decide': 'Mark orders paid, and cancel them',
  'tokens.view': 'View tokens',
  'tokens.manage': 'Add tokens, and switch them on and off',
  'transactions.view': 'View transactions and the state of the chain',
  'messages.view': 'View messages to and from the platform and the KYC provider',
  'messages.send': 'Send messages again, and KYC cases to the provider',
  'endpoints.manage': "Add, change and delete the platform's endpoints, and their secrets",
  'security.view': 'View security events',
  'security.resolve': 'Resolve security events',
  'audit.view': 'View the log of admin actions',
  'exports.take': 'Export lists and reports as CSV',
}

export type Role = 'super_admin'
export type Roles = Record<Role, readonly Permission[]>

/** What each role may do (product 2.6). */
export const roles: Roles = { super_admin: permissions }

/** Whether an admin has a permission. Without a role of its own an admin is a super admin. */
export const can = (
  { role = 'super_admin' }: { id: string; role?: Role },
  permission: Permission,
  table: Roles = roles,
): boolean => table[role].includes(permission)

/**
 * Who may make a call. `public`: anyone. `platform`: the platform, with its key. `provider`: the KYC provider, by the
 * signature of its message. `admin`: any signed-in admin. A permission: the admins who have it; of several they need all.
 */
export type Access =
  | 'public'
  | 'platform'
  | 'provider'
  | 'admin'
  | 'admin or platform'
  | Permission
  | readonly Permission[]

const isPermission = (name: string): name is Permission => name in permissionLabels

/** The permissions that a call requires, all of them. */
export const listPermissions = (access: Access): Permission[] => [access].flat().filter(isPermission)

/** Whether only a signed-in admin may make a call. */
export const isForAdmins = (access: Access): boolean => access === 'admin' || listPermissions(access).length > 0

/** The refusal of a call that requires permissions which the admin lacks. */
export const describeMissing = (missing: readonly Permission[]): string => {
  const named = missing.map((permission) => `“${permissionLabels[permission]}” (${permission})`)
  const list = new Intl.ListFormat('en-GB').format(named)
  return `This needs the permission${missing.length > 1 ? 's' : ''} ${list}, which you do not have`
}
