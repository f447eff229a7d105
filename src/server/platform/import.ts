import type { ImportResult } from '#contract/schemas/platform.ts'
import { audit } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { isValidKey, settingKeyName } from '#server/features/keys/service.ts'
import { inBatch } from './import-batches.ts'
import { atStart, readBatches, settled, type Batch, type Course, type Settled } from './import-course.ts'
import { rehearse } from './import-dry-run.ts'
import { isBrokenGzip } from './import-gzip.ts'
import { reportRefusedDecisions } from './refused-decisions.ts'
import { writeLines } from './write-lines.ts'

export interface ImportProgress {
  bytes: number
  /** The last line that is settled: stored or refused. */
  lines: number
  refused: number
}

export interface ImportOptions {
  /** Sent again under this id, an import goes on behind the last line that is settled. */
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
  { batch, isDryRun = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  const take = (course: Course) => follow(ctx, source, course, onProgress)
  if (batch !== undefined && isDryRun)
    throw new AppError('invalid', 'batch: a dry run stores nothing that it could go on from; leave out one of the two')
  if (batch !== undefined) return inBatch(ctx, batch, take)
  if (isDryRun) return rehearse(ctx, take)
  return take({ details: {} })
}

async function follow(
  ctx: Ctx,
  source: AsyncIterable<Buffer | string>,
  course: Course,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  let at = course.from ?? atStart
  let bytes = 0
  let isBegun = false
  let writing = Promise.resolve()
  const write = async (batch: Batch) => {
    const isWritten = batch.lines.length > 0 || course.settle !== undefined
    at = isWritten ? await writeBatch(course.ctx ?? ctx, course, at, batch, isBegun) : settled(at, batch, new Map())
    isBegun ||= isWritten
    onProgress({ bytes, lines: at.lines, refused: at.result.refused })
  }
  const reading = { ...course.reading, countBytes: (size: number) => void (bytes += size) }
  try {
    for await (const batch of readBatches(source, reading, at.lines)) {
      course.accept?.(batch)
      await writing
      writing = write(batch)
      // Its failure is met at the next await; until then it must not count as unhandled.
      writing.catch(() => {})
    }
    await writing
    await auditImport(ctx, course, at)
  } catch (error) {
    await writing.catch(() => {})
    const stopped = asStop(error, course, at)
    await auditImport(ctx, course, at, stopped.message).catch((unwritten: unknown) =>
      ctx.log.warn({ err: unwritten }, 'a stopped import could not be audited'),
    )
    throw stopped
  }
  return at.result
}

/** Of what stands it is told who brought it in, also where the server is killed before the end. */
const writeBatch = (ctx: Ctx, course: Course, before: Settled, batch: Batch, isBegun: boolean): Promise<Settled> =>
  writeLines(ctx, batch.lines, course.prepare, async (tx, outcomes) => {
    await requireKey(tx, ctx)
    if (!isBegun) await audit(tx, ctx, { action: 'import', details: { begun: true, ...course.details } })
    const refusedDecisions = await reportRefusedDecisions(tx, ctx, before.refusedDecisions, outcomes)
    const after = { ...settled(before, batch, outcomes), refusedDecisions }
    await course.settle?.(tx, before, after, batch)
    return after
  })

/** A key that was revoked or has expired since the import began writes nothing more. */
async function requireKey(tx: Tx, { actor, isRehearsal }: Ctx): Promise<void> {
  if (actor.kind !== 'platform' || actor.name === settingKeyName || isRehearsal) return
  if (!(await isValidKey(tx, actor.name)))
    throw new AppError('unauthorized', `The platform key ${actor.name} is not valid any more`)
}

function whatStands(error: unknown, { lines }: Settled): string {
  if (lines > 0) return `lines 1 to ${lines} stand; send all of it again to go on`
  const isUnknown = error instanceof AppError && error.code === 'outcome_unknown'
  return isUnknown ? 'it is not known whether its first lines stand; send all of it again' : 'nothing was stored'
}

function asStop(error: unknown, course: Course, at: Settled): AppError {
  const stands = course.stands?.(at) ?? whatStands(error, at)
  if (isDatabaseAway(error))
    return new AppError('database_unavailable', `The import stopped because the database went away: ${stands}`, {
      retryAfter: 5,
    })
  if (isOutwaited(error))
    return new AppError('busy', `The import stopped because other changes held its rows for too long: ${stands}`, {
      retryAfter: 5,
      cause: error,
    })
  if (isBrokenSource(error)) return new AppError('invalid', `The input broke off: ${stands}`)
  if (isBrokenGzip(error)) return new AppError('invalid', `The input is not valid gzip: ${stands}`)
  if (error instanceof AppError && error.status === 409) return error
  if (error instanceof AppError && error.code === 'unauthorized')
    return new AppError('unauthorized', `Unauthorized: ${error.message}: ${stands}`)
  if (error instanceof AppError && error.code === 'timeout')
    return new AppError('timeout', `${error.message}: ${stands}`, { details: at.result })
  if (error instanceof AppError && error.code === 'too_large')
    return new AppError('too_large', `${error.message}: ${stands}`)
  const stopped = new AppError('internal', `The import stopped: ${stands}`)
  stopped.cause = error
  return stopped
}

/** Locks, deadlocks and statements that PostgreSQL gives up on after a time: the same lines may go in a moment later. */
const isOutwaited = (error: unknown) => /^(55P03|40001|40P01|57014)$/.test(sqlState(error) ?? '')

/** What a request's or a file's stream fails with when the other side is gone. */
const isBrokenSource = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

async function auditImport(ctx: Ctx, course: Course, { result }: Settled, stopped?: string): Promise<void> {
  const { errors: _, ...counts } = result
  await inTransaction(ctx, async (tx) => {
    if (stopped === undefined) await course.finish?.(tx)
    const details = { ...counts, ...course.details, ...(stopped !== undefined && { stopped }) }
    await audit(tx, ctx, { action: 'import', details })
  })
}
