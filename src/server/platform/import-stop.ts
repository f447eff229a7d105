import { AppError, isDatabaseAway, sqlState } from '#server/lib/errors.ts'
import { isBrokenGzip } from './import-gzip.ts'
import type { ImportState } from './import-state.ts'

export interface ImportKind {
  isDryRun: boolean
  /** Whether the caller gave an id, under which the progress is stored. */
  isKept: boolean
}

/** The error of an import that stops early: why it stopped, what is stored, and what to do. */
export function explainStop(error: unknown, state: ImportState, kind: ImportKind): AppError {
  const stands = describeStored(error, state, kind)
  if (isDatabaseAway(error))
    return new AppError('database_unavailable', `The import stopped because the database went away: ${stands}`, {
      retryAfter: 5,
    })
  if (isLockTimeout(error))
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
    return new AppError('timeout', `${error.message}: ${stands}`, { details: state.result })
  if (error instanceof AppError && error.code === 'too_large')
    return new AppError('too_large', `${error.message}: ${stands}`)
  const stopped = new AppError('internal', `The import stopped: ${stands}`)
  stopped.cause = error
  return stopped
}

function describeStored(error: unknown, { lastLine }: ImportState, { isDryRun, isKept }: ImportKind): string {
  if (isDryRun) return 'it was a dry run, nothing was stored'
  if (isKept)
    return lastLine > 0
      ? `lines 1 to ${lastLine} stand; send all of it again with the same batch id to go on behind them`
      : 'nothing is settled; send all of it again with the same batch id'
  if (lastLine > 0) return `lines 1 to ${lastLine} stand; send all of it again to go on`
  const isUnknown = error instanceof AppError && error.code === 'outcome_unknown'
  return isUnknown ? 'it is not known whether its first lines stand; send all of it again' : 'nothing was stored'
}

/** Locks, deadlocks and statements that PostgreSQL gave up. The same lines may succeed a moment later. */
const isLockTimeout = (error: unknown) => /^(55P03|40001|40P01|57014)$/.test(sqlState(error) ?? '')

/** The error of a request's or file's stream whose other side is gone. */
const isBrokenSource = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
