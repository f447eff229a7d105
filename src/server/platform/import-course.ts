import type { ImportRefusal, ImportResult } from '#contract/schemas/platform.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { parseLine } from './parse-line.ts'
import { readLines, type Reading } from './read-lines.ts'
import type { Line } from './write-lines.ts'

const maxErrors = 1000
const batchLines = 500
const batchBytes = 1024 * 1024

/** How far an import has got. */
export interface Settled {
  /** The last line that is settled: stored or refused. */
  lines: number
  result: ImportResult
  /** The security event of the decisions that were refused. */
  refusedDecisions?: string | undefined
}
export const atStart: Settled = {
  lines: 0,
  result: { accepted: 0, created: 0, updated: 0, unchanged: 0, refused: 0, errors: [] },
}

/** Lines that are written together. */
export interface Batch {
  lines: Line[]
  problems: ImportRefusal[]
  lastLine: number
  /** SHA-256 of all lines up to the last, where the course asks for it. */
  digest?: Buffer
}

/** What tells one way of importing from another; a plain import has none of these. */
export interface Course {
  /** Where lines are written, when not into the console's own tables. */
  ctx?: Ctx
  /** Goes on behind what stands already. */
  from?: Settled
  reading?: Pick<Reading, 'digest' | 'skip'>
  /** Throws when this batch must not come. */
  accept?: (batch: Batch) => void
  /** Before a batch is written, in its transaction. */
  prepare?: (tx: Tx, lines: readonly Line[]) => Promise<void>
  /** After a batch is written, in its transaction. */
  settle?: (tx: Tx, before: Settled, after: Settled, batch: Batch) => Promise<void>
  /** When all is settled, in the transaction of the audit row. */
  finish?: (tx: Tx) => Promise<void>
  /** What the audit row says beside the counts. */
  details: Record<string, unknown>
  /** What stands when it stops early. */
  stands?: (settled: Settled) => string
}

const fresh = (): Batch => ({ lines: [], problems: [], lastLine: 0 })

/** An import's lines, parsed, some hundreds at a time; `from` is the last line that is settled already. */
export async function* readBatches(
  source: AsyncIterable<Buffer | string>,
  reading: Reading,
  from: number,
): AsyncGenerator<Batch> {
  let size = 0
  let batch = fresh()
  let told = from
  for await (const { line, text, problem, isEnd } of readLines(source, reading)) {
    batch.lastLine = line
    if (!isEnd) {
      const parsed = text === undefined ? { problem: problem ?? 'the line is empty' } : parseLine(text)
      if ('value' in parsed) batch.lines.push({ line, value: parsed.value })
      else batch.problems.push({ line, code: 'invalid', message: parsed.problem })
      size += text?.length ?? 0
      if (batch.lines.length + batch.problems.length < batchLines && size < batchBytes) continue
    } else if (line <= told) return
    told = line
    if (reading.digest) batch.digest = reading.digest.copy().digest()
    yield batch
    batch = fresh()
    size = 0
  }
}

/** Where an import stands once a batch is settled. */
export function settled(before: Settled, batch: Batch, outcomes: ReadonlyMap<number, Outcome>): Settled {
  const result = { ...before.result }
  const refusals = [...batch.problems]
  for (const [line, outcome] of outcomes) {
    if (outcome instanceof AppError) refusals.push({ line, code: outcome.code, message: outcome.message })
    else {
      result[outcome]++
      result.accepted++
    }
  }
  refusals.sort((one, other) => one.line - other.line)
  result.refused += refusals.length
  if (refusals.length > 0 && result.errors.length < maxErrors)
    result.errors = [...result.errors, ...refusals].slice(0, maxErrors)
  return { ...before, lines: batch.lastLine, result }
}
