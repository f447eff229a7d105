import type { ImportResult } from '#contract/schemas/platform.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { isValidKey, settingKeyName } from '#server/features/keys/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { addBatch, initialState, type ImportState } from './import-state.ts'
import { explainStop } from './import-stop.ts'
import { openKeptImport } from './kept-import.ts'
import { readBatches, type Batch } from './read-batches.ts'
import { reportRefusedDecisions } from './refused-decisions.ts'
import { openTableCopies } from './table-copies.ts'
import { writeLines } from './write-lines.ts'

export interface ImportProgress {
  bytes: number
  /** The last line that is stored or refused. */
  lines: number
  refused: number
}

export interface ImportOptions {
  /** Sent again under this id, an import goes on behind the last line that is stored or refused. */
  batch?: string | undefined
  /** Says what would be created, changed and refused, and stores nothing. */
  isDryRun?: boolean
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Takes in a stream of import lines (product 10.3) in batches, one transaction each: while one is written the next
 * is read, and no more. A refused line never stops the others. When database or source fail, what is committed stands,
 * the error says up to which line, and the same file can be sent again. Audited as it begins, with its first lines, and as
 * a whole when it ends.
 */
export async function importStream(
  ctx: Ctx,
  source: AsyncIterable<Buffer | string>,
  { batch: batchId, isDryRun = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  if (batchId !== undefined && isDryRun)
    throw new AppError('invalid', 'batch: a dry run stores nothing that it could go on from; leave out one of the two')
  const kept = batchId === undefined ? undefined : await openKeptImport(ctx, batchId)
  const copies = isDryRun ? await openTableCopies(ctx) : undefined
  const writer = copies?.ctx ?? ctx
  const about = { ...kept?.details, ...(isDryRun && { dryRun: true }) }
  let state = kept?.state ?? initialState
  let bytes = 0
  let isBegun = false
  let writing = Promise.resolve()

  async function* countBytes() {
    for await (const chunk of source) {
      bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
  async function write(batch: Batch) {
    if (batch.lines.length > 0 || kept?.isOpen) {
      state = await inTransaction(writer, async (tx) => {
        await copies?.copyRows(tx, batch.lines)
        const outcomes = await writeLines(tx, writer, batch.lines)
        await requireKey(tx, writer)
        // Who brought the lines in is on record with the first of them, also where the server is killed before the end.
        if (!isBegun) await audit(tx, writer, { action: 'import', details: { begun: true, ...about } })
        const refusedDecisions = await reportRefusedDecisions(tx, writer, state.refusedDecisions, outcomes)
        const after: ImportState = { ...addBatch(state, batch, outcomes), refusedDecisions }
        await kept?.save(tx, state, after, batch)
        return after
      })
      isBegun = true
    } else state = addBatch(state, batch, new Map())
    onProgress({ bytes, lines: state.lastLine, refused: state.result.refused })
  }
  async function auditWhole(stopped?: string) {
    const { errors: _, ...counts } = state.result
    await inTransaction(ctx, async (tx) => {
      if (stopped === undefined) await kept?.finish(tx)
      const details = { ...counts, ...about, ...(stopped !== undefined && { stopped }) }
      await audit(tx, ctx, { action: 'import', details })
    })
  }

  try {
    for await (const batch of readBatches(countBytes(), { ...kept?.reading })) {
      if (kept?.checkRepeated(batch)) continue
      await writing
      writing = write(batch)
      // Its failure is met at the next await; until then it must not count as unhandled.
      writing.catch(() => {})
    }
    await writing
    await auditWhole()
  } catch (error) {
    await writing.catch(() => {})
    const stopped = explainStop(error, state, { isDryRun, isKept: kept !== undefined })
    await auditWhole(stopped.message).catch((unwritten: unknown) =>
      ctx.log.warn({ err: unwritten }, 'a stopped import could not be audited'),
    )
    throw stopped
  } finally {
    await kept?.close()
    await copies?.close()
  }
  return state.result
}

/** A key that was revoked or has expired since the import began writes nothing more. */
async function requireKey(tx: Tx, { actor, isDryRun }: Ctx): Promise<void> {
  if (actor.kind !== 'platform' || actor.name === settingKeyName || isDryRun) return
  if (!(await isValidKey(tx, actor.name)))
    throw new AppError('unauthorized', `The platform key ${actor.name} is not valid any more`)
}
