import type { Permission } from './permissions.ts'
import type { QueryOf, Routes } from './route.ts'
import type { exportSchemas } from './schemas/exports.ts'

/** The address of each list's CSV. A browser opens it as a plain link, so it needs no route of its own. */
export const exportPaths = {
  users: '/api/exports/users',
  orders: '/api/exports/orders',
  bankLines: '/api/exports/bank-lines',
  bankAllocations: '/api/exports/bank-allocations',
  bankStatements: '/api/exports/bank-statements',
  bankImports: '/api/exports/bank-imports',
  notes: '/api/exports/notes',
  earningTokens: '/api/exports/earning-tokens',
  fractionsTokens: '/api/exports/fractions-tokens',
  chainTransactions: '/api/exports/chain-transactions',
  platformTransactions: '/api/exports/platform-transactions',
  submissions: '/api/exports/kyc-submissions',
  verifications: '/api/exports/kyc-verifications',
  step2: '/api/exports/kyc-step2',
  step3: '/api/exports/kyc-step3',
  step4: '/api/exports/kyc-step4',
  webhookLogs: '/api/exports/kyc-webhook-logs',
  messages: '/api/exports/messages',
  securityEvents: '/api/exports/security-events',
  adminLogs: '/api/exports/admin-logs',
} as const
export type ExportName = keyof typeof exportPaths

/** Lists whose rows can be chosen. */
export const chosenExports = [
  'users',
  'orders',
  'verifications',
  'messages',
  'securityEvents',
] as const satisfies ExportName[]
export type ChosenExport = (typeof chosenExports)[number]

/** Lists without data of members or payers: their exports are neither counted nor limited. */
const impersonalExports: readonly ExportName[] = [
  'bankStatements',
  'bankImports',
  'earningTokens',
  'fractionsTokens',
  'securityEvents',
]
export const exportsMembers = (name: ExportName): boolean => !impersonalExports.includes(name)

/**
 * A list as CSV: all rows that match the filters, never one page, so page, limit and total are ignored. `views` are the
 * permissions of the list.
 */
const exportOf = (name: ExportName, ...views: [Permission, ...Permission[]]) => ({
  method: 'GET' as const,
  path: exportPaths[name],
  access: ['exports.take' as const, ...views],
  raw: true as const,
})

export const exportRoutes: Routes<typeof exportSchemas> = {
  /** Called before the link is opened, so that the console can show a refusal instead of the browser. `list`: which, `filters`: its query. */
  ready: { method: 'GET', path: '/api/exports', access: 'exports.take' },
  /** Rows of a list that are chosen one by one. */
  chosen: { method: 'POST', path: '/api/exports', access: 'exports.take', raw: true },
  users: exportOf('users', 'members.view'),
  orders: exportOf('orders', 'orders.view'),
  bankLines: exportOf('bankLines', 'bank.view'),
  bankAllocations: exportOf('bankAllocations', 'bank.view'),
  bankStatements: exportOf('bankStatements', 'bank.view'),
  bankImports: exportOf('bankImports', 'bank.view'),
  notes: exportOf('notes', 'notes.view', 'members.view', 'orders.view'),
  earningTokens: exportOf('earningTokens', 'tokens.view'),
  fractionsTokens: exportOf('fractionsTokens', 'tokens.view'),
  chainTransactions: exportOf('chainTransactions', 'transactions.view'),
  platformTransactions: exportOf('platformTransactions', 'transactions.view'),
  submissions: exportOf('submissions', 'kyc.view'),
  verifications: exportOf('verifications', 'kyc.view'),
  step2: exportOf('step2', 'kyc.view'),
  step3: exportOf('step3', 'kyc.view'),
  step4: exportOf('step4', 'kyc.view'),
  webhookLogs: exportOf('webhookLogs', 'messages.view'),
  messages: exportOf('messages', 'messages.view'),
  securityEvents: exportOf('securityEvents', 'security.view'),
  adminLogs: exportOf('adminLogs', 'audit.view'),
}

/** The filters of a list's export. */
export type ExportFilter<Name extends ExportName> = Exclude<
  keyof QueryOf<(typeof exportRoutes)[Name]>,
  'page' | 'limit' | 'total'
>
