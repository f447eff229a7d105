import type { Permission } from './permissions.ts'

/** The permissions in words, for refusals and the API description. */
export const permissionLabels: Record<Permission, string> = {
  'dashboard.view': "View the dashboard's figures",
  'members.view': 'View members and their wallets',
  'members.ban': 'Ban and unban members',
  'notes.view': 'View notes on members, orders and bank lines',
  'notes.write': 'Write notes on members, orders and bank lines',
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
  'security.resolve': 'Resolve security events, and have the audit log verified',
  'audit.view': 'View the log of admin actions',
  'exports.take': 'Export lists and reports as CSV',
  'views.share': 'Share saved views and templates',
  'operators.manage': 'Invite operators, change their roles, disable them and end their sessions',
  'approvals.rules': 'Set which actions need an approval',
}

/** The message of a refusal that lists the missing permissions. */
export const describeMissing = (missing: readonly Permission[]): string => {
  const named = missing.map((permission) => `“${permissionLabels[permission]}” (${permission})`)
  const list = new Intl.ListFormat('en-GB').format(named)
  return `This needs the permission${missing.length > 1 ? 's' : ''} ${list}, which you do not have`
}
