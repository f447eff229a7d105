import { Readable } from 'node:stream'
import { exportsMembers, type ExportName } from '#contract/exports.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { formatCsvLines, csvByteOrderMark } from '#server/http/csv.ts'
import { countList } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import { readAllRows } from '#server/db/read-all-rows.ts'
import { recordExport } from '#server/http/export-limits.ts'
import { AppError } from '#server/lib/errors.ts'
import { filterActiveSessions } from '#server/features/auth/service.ts'
import { omit } from '#server/lib/omit.ts'
import type { Sheet } from './sheet.ts'
import type { Snapshot } from './snapshot.ts'

interface ExportRequest {
  list: ExportName
  filters: Record<string, unknown>
  sheet: Pick<Sheet<never>, 'heads' | 'cells'>
  rows: ListRequest
}

const auditExport = (ctx: Ctx, { list, filters }: ExportRequest, rows: number, more: { isComplete?: false } = {}) =>
  inTransaction(ctx, async (tx) => {
    const isBroken = more.isComplete === false
    if (exportsMembers(list) && !isBroken) await recordExport(tx, ctx, rows)
    await audit(tx, ctx, {
      action: 'export_list',
      details: { list, filters: omit(filters, ['search']), rows, ...more },
      // What was searched for may be a name.
      ...(filters['search'] !== undefined && { personal: { memberId: null, details: { filters } } }),
    })
  })

/** Stops an export after its session has ended. A slow client could make a download last for days. */
async function requireSession({ actor, database }: Ctx): Promise<void> {
  if (actor.kind !== 'admin') return
  const alive = await filterActiveSessions(database, [actor.sessionId])
  if (!alive.has(actor.sessionId)) throw new AppError('unauthorized', 'Unauthorized')
}

/** The file in parts of one fetch each, with their number of rows. */
async function* readParts({ sheet }: ExportRequest, batches: AsyncIterable<object[]>) {
  let before = csvByteOrderMark + formatCsvLines([sheet.heads])
  for await (const rows of batches) {
    yield { text: before + formatCsvLines(rows.map(sheet.cells)), rows: rows.length }
    before = ''
  }
  if (before) yield { text: before, rows: 0 }
}

/**
 * Opens the file of all requested rows in `snapshot`, read no faster than it is sent. Writes the audit row before the
 * first byte, with the number of rows of the whole file, so that even a killed server leaves a trace. A file that
 * breaks off gets a second row with the rows that may have been sent. Throws export_limit.
 */
export async function openExportFile(
  ctx: Ctx,
  request: ExportRequest,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<Readable> {
  const total = await countList(snapshot.client, request.rows)
  const parts = readParts(request, readAllRows(snapshot.client, request.rows))
  // Reading the first part reveals a failing statement while an error reply is still possible.
  let first: Awaited<ReturnType<typeof parts.next>> | undefined = await parts.next()
  await auditExport(ctx, request, total)

  let sent = 0
  async function nextText() {
    if (!first) await requireSession(ctx)
    const { value, done } = first ?? (await parts.next())
    first = undefined
    if (done) await snapshot.close(true)
    sent += value?.rows ?? 0
    return value?.text ?? null
  }
  async function breakOff() {
    try {
      await snapshot.close(false)
      await auditExport(ctx, request, sent, { isComplete: false })
    } catch (err) {
      ctx.log.error({ err }, 'an export that broke off could not be recorded')
    }
  }
  return new Readable({
    signal,
    read() {
      nextText().then(
        (text) => this.push(text),
        (error: Error) => this.destroy(error),
      )
    },
    async destroy(error, done) {
      if (!this.readableEnded) await breakOff()
      done(error)
    },
  })
}
