import type { ImportResult } from '#contract/schemas/platform.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { isValidKey, settingKeyName } from '#server/features/keys/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { addBatch, initialState, type ImportState } from './import-state.ts'
import { explainStop } from './import-stop.ts'
import { type ResumableImport, openResumableImport } from './resumable-import.ts'
import { readBatches, type Batch } from './read-batches.ts'
import { reportMissingScopes, splitByScope } from './scopes.ts'
import { openTableCopies, type TableCopies } from './table-copies.ts'
import { writeLines } from './write-lines.ts'

/** The refused decisions of one sender within a minute. */
interface RefusalCount {
  imports: number
  count: number
  /** Of the first of those imports. */
  firstLine: number
}

/**
 * Reports lines with a decision on something that waits here, in the transaction of their batch. One security event per
 * sender and minute counts them, so that neither a whole file nor many short imports flood the log. Returns the event,
 * to which later batches of the same import add.
 */
async function reportRefusedDecisions(
  tx: Tx,
  ctx: Ctx,
  eventOfImport: string | undefined,
  outcomes: ReadonlyMap<number, Outcome>,
): Promise<string | undefined> {
  const lines = [...outcomes].flatMap(([line, outcome]) =>
    outcome instanceof AppError && outcome.code === 'decision_waits_here' ? [line] : [],
  )
  if (lines.length === 0 || ctx.isDryRun) return eventOfImport
  return countSecurityEvent<RefusalCount>(tx, ctx, {
    type: 'import_decision_refused',
    severity: 'high',
    by: { actor: ctx.actor.name },
    of: eventOfImport,
    describe(present, id) {
      const isAdded = id !== undefined && id === eventOfImport
      const refused = {
        imports: (present?.imports ?? 0) + (isAdded ? 0 : 1),
        count: (present?.count ?? 0) + lines.length,
        firstLine: present?.firstLine ?? Math.min(...lines),
      }
      return { description: describeRefusals(ctx, refused), details: refused }
    },
  })
}

function describeRefusals({ actor }: Ctx, { imports, count }: RefusalCount): string {
  const who = actor.kind === 'platform' ? `the key ${actor.name}` : actor.name
  const from = imports === 1 ? `An import of ${who}` : `${imports} imports of ${who}`
  const what = count === 1 ? 'a KYC attempt or order that waits' : `${count} KYC attempts and orders that wait`
  return `${from} carried decisions on ${what} for an operator here; refused`
}

export interface ImportProgress {
  bytes: number
  /** The last line that is stored or refused. */
  lines: number
  refused: number
}

export interface ImportOptions {
  /** Sent again under this id, an import continues after the last line that is stored or refused. */
  batch?: string | undefined
  /** Reports what would be created, changed and refused, and stores nothing. */
  isDryRun?: boolean
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Imports a stream of lines (product 10.3) in batches, one transaction each. The next batch is read while one is written, and
 * no more. A refused line never stops the others. If the database or the source fails, committed batches stay, the error
 * names their last line, and the same file can be sent again. Audited with the first lines, and when it ends.
 */
export async function importStream(
  ctx: Ctx,
  source: AsyncIterable<Buffer | string>,
  { batch: batchId, isDryRun = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  if (batchId !== undefined && isDryRun)
    throw new AppError('invalid', 'batch: a dry run stores nothing that it could go on from; leave out one of the two')
  const kept = batchId === undefined ? undefined : await openResumableImport(ctx, batchId)
  const copies = isDryRun ? await openTableCopies(ctx) : undefined
  try {
    return await new ImportRun(ctx, kept, copies, onProgress).run(source)
  } finally {
    await kept?.close()
    await copies?.close()
  }
}

class ImportRun {
  readonly #ctx: Ctx
  readonly #kept: ResumableImport | undefined
  readonly #copies: TableCopies | undefined
  readonly #onProgress: (progress: ImportProgress) => void
  /** The context that writes lines: the caller's, or that of the table copies. */
  readonly #writer: Ctx
  /** The details of the audit rows, besides the counts. */
  readonly #about: Record<string, unknown>
  #state: ImportState
  #bytes = 0
  #isBegun = false

  constructor(
    ctx: Ctx,
    kept: ResumableImport | undefined,
    copies: TableCopies | undefined,
    onProgress: (progress: ImportProgress) => void,
  ) {
    this.#ctx = ctx
    this.#kept = kept
    this.#copies = copies
    this.#onProgress = onProgress
    this.#writer = copies?.ctx ?? ctx
    this.#about = { ...kept?.details, ...(copies && { dryRun: true }) }
    this.#state = kept?.state ?? initialState
  }

  async run(source: AsyncIterable<Buffer | string>): Promise<ImportResult> {
    let writing = Promise.resolve()
    try {
      for await (const batch of readBatches(this.#countBytes(source), { ...this.#kept?.reading })) {
        if (this.#kept?.checkRepeated(batch)) continue
        await writing
        writing = this.#write(batch)
        // The next await gets its failure. Until then it must not count as unhandled.
        writing.catch(() => {})
      }
      await writing
      await this.#auditWhole()
      return this.#state.result
    } catch (error) {
      await writing.catch(() => {})
      const kind = { isDryRun: this.#copies !== undefined, isKept: this.#kept !== undefined }
      const stopped = explainStop(error, this.#state, kind)
      await this.#auditWhole(stopped.message).catch((unwritten: unknown) =>
        this.#ctx.log.warn({ err: unwritten }, 'a stopped import could not be audited'),
      )
      throw stopped
    }
  }

  async *#countBytes(source: AsyncIterable<Buffer | string>) {
    for await (const chunk of source) {
      this.#bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }

  async #write(batch: Batch): Promise<void> {
    if (batch.lines.length > 0 || this.#kept?.isOpen) {
      this.#state = await inTransaction(this.#writer, (tx) => this.#writeIn(tx, batch))
      this.#isBegun = true
    } else this.#state = addBatch(this.#state, batch, new Map())
    this.#onProgress({ bytes: this.#bytes, lines: this.#state.lastLine, refused: this.#state.result.refused })
  }

  async #writeIn(tx: Tx, batch: Batch): Promise<ImportState> {
    const [writer, before] = [this.#writer, this.#state]
    const { allowed, refused, missing } = splitByScope(writer, batch.lines)
    await this.#copies?.copyRows(tx, allowed)
    const outcomes = new Map([...refused, ...(await writeLines(tx, writer, allowed))])
    await requireKey(tx, writer)
    // The first lines have an audit row, even if the server is killed before the end.
    if (!this.#isBegun) await audit(tx, writer, { action: 'import', details: { begun: true, ...this.#about } })
    const refusedDecisions = await reportRefusedDecisions(tx, writer, before.refusedDecisions, outcomes)
    await reportMissingScopes(tx, writer, missing)
    const after: ImportState = { ...addBatch(before, batch, outcomes), refusedDecisions }
    await this.#kept?.save(tx, before, after, batch)
    return after
  }

  async #auditWhole(stopped?: string): Promise<void> {
    const counts = omit(this.#state.result, ['errors'])
    await inTransaction(this.#ctx, async (tx) => {
      if (stopped === undefined) await this.#kept?.finish(tx)
      const details = { ...counts, ...this.#about, ...(stopped !== undefined && { stopped }) }
      await audit(tx, this.#ctx, { action: 'import', details })
    })
  }
}

/** A key that was revoked or expired during the import writes nothing more. */
async function requireKey(tx: Tx, { actor, isDryRun }: Ctx): Promise<void> {
  if (actor.kind !== 'platform' || actor.name === settingKeyName || isDryRun) return
  if (!(await isValidKey(tx, actor.name)))
    throw new AppError('unauthorized', `The platform key ${actor.name} is not valid any more`)
}
