import type { ImportResult } from '#contract/platform.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { AppError, isDatabaseAway } from '#server/errors.ts'
import type { Outcome } from '#server/upsert.ts'
import { parseLine } from './parse-line.ts'
import { readLines } from './read-lines.ts'
import { writeLines, type Line } from './write-lines.ts'

const maxErrors = 1000
const batchLines = 500
const batchBytes = 1024 * 1024

export interface ImportProgress {
  bytes: number
  /** The last line that is settled: stored or refused. */
  lines: number
  refused: number
}

/**
 * Takes in a stream of import lines (PRODUCT section 4) in batches, one transaction each: while one is written the next
 * is read, and no more. A refused line never stops the others. When database or source fail, what is committed stands,
 * the error says up to which line, and the same file can be sent again. Audited as a whole.
 */
export async function importStream(
  ctx: Ctx,
  source: AsyncIterable<Buffer | string>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportResult> {
  const tally = new Tally()
  let bytes = 0
  let writing = Promise.resolve()
  const write = async (batch: Batch) => {
    tally.add(batch, await writeLines(ctx, batch.lines))
    onProgress({ bytes, lines: tally.settled, refused: tally.result.refused })
  }
  try {
    for await (const batch of readBatches(source, (size) => (bytes += size))) {
      await writing
      writing = write(batch)
      // Its failure is met at the next await; until then it must not count as unhandled.
      writing.catch(() => {})
    }
    await writing
    await auditImport(ctx, tally.result)
  } catch (error) {
    await writing.catch(() => {})
    const stopped = asStop(error, tally.settled)
    await auditImport(ctx, tally.result, stopped.message).catch((unwritten: unknown) =>
      ctx.log.warn({ err: unwritten }, 'a stopped import could not be audited'),
    )
    throw stopped
  }
  return tally.result
}

interface Batch {
  lines: Line[]
  problems: { line: number; message: string }[]
  lastLine: number
}

const fresh = (): Batch & { size: number } => ({ lines: [], problems: [], lastLine: 0, size: 0 })

async function* readBatches(source: AsyncIterable<Buffer | string>, countBytes: (bytes: number) => void) {
  let batch = fresh()
  for await (const { line, text, problem } of readLines(source, countBytes)) {
    const parsed = text === undefined ? { problem: problem ?? 'the line is empty' } : parseLine(text)
    if ('value' in parsed) batch.lines.push({ line, value: parsed.value })
    else batch.problems.push({ line, message: parsed.problem })
    batch.lastLine = line
    batch.size += text?.length ?? 0
    if (batch.lines.length + batch.problems.length < batchLines && batch.size < batchBytes) continue
    yield batch
    batch = fresh()
  }
  if (batch.lastLine > 0) yield batch
}

class Tally {
  readonly result: ImportResult = { accepted: 0, created: 0, updated: 0, unchanged: 0, refused: 0, errors: [] }
  settled = 0

  add(batch: Batch, outcomes: ReadonlyMap<number, Outcome>): void {
    const { result } = this
    const refusals = [...batch.problems]
    for (const [line, outcome] of outcomes) {
      if (outcome instanceof AppError) refusals.push({ line, message: outcome.message })
      else {
        result[outcome]++
        result.accepted++
      }
    }
    refusals.sort((one, other) => one.line - other.line)
    result.refused += refusals.length
    result.errors.push(...refusals.slice(0, maxErrors - result.errors.length))
    this.settled = batch.lastLine
  }
}

function asStop(error: unknown, settled: number): AppError {
  const isUnknown = error instanceof AppError && error.code === 'outcome_unknown'
  const first = isUnknown ? 'it is not known whether its first lines stand; send all of it again' : 'nothing was stored'
  const stands = settled > 0 ? `lines 1 to ${settled} stand; send all of it again to go on` : first
  if (isDatabaseAway(error))
    return new AppError('database_unavailable', `The import stopped because the database went away: ${stands}`, {
      retryAfter: 5,
    })
  if (isBrokenSource(error)) return new AppError('invalid', `The input broke off: ${stands}`)
  const stopped = new AppError('internal', `The import stopped: ${stands}`)
  stopped.cause = error
  return stopped
}

/** What a request's or a file's stream fails with when the other side is gone. */
const isBrokenSource = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

async function auditImport(ctx: Ctx, result: ImportResult, stopped?: string): Promise<void> {
  const { errors: _, ...counts } = result
  await inTransaction(ctx, (tx) =>
    audit(tx, ctx, { action: 'import', details: { ...counts, ...(stopped !== undefined && { stopped }) } }),
  )
}
