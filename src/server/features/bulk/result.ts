import { type BulkItemState, readBulkDesign } from '#contract/bulk.ts'
import type { BulkItem } from '#contract/schemas/bulk.ts'
import { displayName } from '#contract/members.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { type CsvCell, formatCsv } from '#server/http/csv.ts'
import { recordExport, reportRefusedExport } from '#server/http/export-limits.ts'
import { readBulkItems, readBulkJob } from './list.ts'
import { requireActionOf } from './permissions.ts'

export const itemStateLabels: Record<BulkItemState, string> = {
  waiting: 'Not done',
  done: 'Done',
  requested: 'Sent for approval',
  skipped: 'Skipped',
  failed: 'Failed',
}

const columns: Record<string, (item: BulkItem) => CsvCell> = {
  ID: ({ entityId }) => entityId,
  What: ({ label }) => label,
  'User ID': ({ user }) => user && user.id,
  Name: ({ user }) => user && displayName(user),
  Email: ({ user }) => user && user.email,
  Result: ({ state }) => itemStateLabels[state],
  Code: ({ code }) => code,
  Reason: ({ message }) => message,
  'Request ID': ({ approvalId }) => approvalId,
  At: ({ doneAt }) => doneAt,
}

/**
 * The rows of a job as CSV. It counts as an export of data of members where the rows are about some. Throws not_found,
 * forbidden and export_limit.
 */
export async function exportResult(ctx: Ctx, id: string): Promise<{ fileName: string; content: string }> {
  const job = await readBulkJob(ctx.database.db, ctx, id)
  requireActionOf(ctx, job)
  const items = await readBulkItems(ctx, id)
  const isPersonal = items.some(({ user }) => user !== null)
  try {
    await inTransaction(ctx, async (tx) => {
      if (isPersonal) await recordExport(tx, ctx, items.length)
      await audit(tx, ctx, {
        action: 'export_list',
        details: { list: 'bulkResult', bulkJob: id, bulkAction: job.action, rows: items.length },
      })
    })
  } catch (error) {
    await reportRefusedExport(ctx, 'bulkResult', error)
    throw error
  }
  const readers = Object.values(columns)
  const lines = items.map((item) => readers.map((read) => read(item)))
  const name = readBulkDesign(job.action).label.toLowerCase().replaceAll(' ', '-')
  return { fileName: `${name}-${id}.csv`, content: formatCsv([Object.keys(columns), ...lines]) }
}
