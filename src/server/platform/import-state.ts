import type { ImportResult } from '#contract/schemas/platform.ts'
import type { Outcome } from '#server/core/upsert.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Batch } from './read-batches.ts'

const maxErrors = 1000

/** The progress of an import. */
export interface ImportState {
  /** The last line that is stored or refused. */
  lastLine: number
  result: ImportResult
  /** The security event of its refused decisions. */
  refusedDecisions?: string | undefined
}

export const initialState: ImportState = {
  lastLine: 0,
  result: { accepted: 0, created: 0, updated: 0, unchanged: 0, refused: 0, errors: [] },
}

/** The state after a batch. `outcomes` has the outcome of each line by its number. */
export function addBatch(before: ImportState, batch: Batch, outcomes: ReadonlyMap<number, Outcome>): ImportState {
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
  return { ...before, lastLine: batch.lastLine, result }
}
