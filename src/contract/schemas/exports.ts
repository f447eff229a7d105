import * as z from 'zod/mini'
import { chosenExports, exportPaths, exportsMembers, type ExportName } from '#contract/exports.ts'
import type { RouteSchemas } from '#contract/route.ts'
import { BankImportsQuery, BankLinesQuery, BankStatementsQuery, AllocationsQuery } from './bank-queries.ts'
import { ChosenIds } from './bulk.ts'
import { filter, text } from './common.ts'
import { MessagesQuery } from './messages.ts'
import { StepsQuery, SubmissionsQuery, VerificationsQuery } from './kyc-reviews.ts'
import { WebhookLogsQuery } from './kyc-webhooks.ts'
import { OrdersQuery } from './orders.ts'
import { NotesQuery } from './notes.ts'
import { EventsQuery, LogsQuery } from './security.ts'
import { PlatformTransactionsQuery, TransactionsQuery } from './transactions.ts'
import { MembersQuery } from './members.ts'
import { listKeys } from '#contract/states.ts'

const exportNames = listKeys(exportPaths)

/** An export takes the filters of its list. */
const exportOf = <Query extends z.ZodMiniObject>(name: ExportName, query: Query) => ({
  summary: `The list as CSV: ${name}`,
  query,
  refuses: exportsMembers(name) ? (['too_many_requests', 'export_limit'] as const) : (['too_many_requests'] as const),
})

export const exportSchemas = {
  ready: {
    summary: 'Whether an export may begin now; 204, or why not',
    query: z.object({ list: filter(exportNames), filters: z.optional(text(2000)) }),
    refuses: ['too_many_requests', 'export_limit'],
  },
  chosen: {
    summary: 'Chosen rows of a list as CSV',
    body: z.strictObject({ list: z.enum(chosenExports), ids: ChosenIds }),
    refuses: ['too_many_requests', 'export_limit'],
  },
  users: exportOf('users', MembersQuery),
  orders: exportOf('orders', OrdersQuery),
  /** Payers who are no members are left out unless `payers` asks for them. */
  bankLines: exportOf('bankLines', z.object({ ...BankLinesQuery.shape, payers: filter(['shown']) })),
  bankAllocations: exportOf('bankAllocations', z.object({ ...AllocationsQuery.shape, payers: filter(['shown']) })),
  bankStatements: exportOf('bankStatements', BankStatementsQuery),
  bankImports: exportOf('bankImports', BankImportsQuery),
  notes: exportOf('notes', NotesQuery),
  earningTokens: exportOf('earningTokens', z.object({})),
  fractionsTokens: exportOf('fractionsTokens', z.object({})),
  chainTransactions: exportOf('chainTransactions', TransactionsQuery),
  platformTransactions: exportOf('platformTransactions', PlatformTransactionsQuery),
  submissions: exportOf('submissions', SubmissionsQuery),
  verifications: exportOf('verifications', VerificationsQuery),
  step2: exportOf('step2', StepsQuery),
  step3: exportOf('step3', StepsQuery),
  step4: exportOf('step4', StepsQuery),
  webhookLogs: exportOf('webhookLogs', WebhookLogsQuery),
  messages: exportOf('messages', MessagesQuery),
  securityEvents: exportOf('securityEvents', EventsQuery),
  adminLogs: exportOf('adminLogs', LogsQuery),
} satisfies Record<string, RouteSchemas>
