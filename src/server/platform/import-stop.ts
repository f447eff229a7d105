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
  // Before its cause is looked at, which is a lost connection too.
  if (isOutcomeUnknown(error)) {
    const message = `The import stopped because the database's last answer was lost: ${stands}`
    return new AppError('outcome_unknown', message, { retryAfter: 5, cause: error })
  }
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
  const known = lastLine > 0 ? `lines 1 to ${lastLine} stand` : undefined
  const batch = isKept ? ' with the same batch id' : ''
  if (isOutcomeUnknown(error)) {
    const unsure = known ? `${known}, those after them may or may not` : 'its lines may or may not be stored'
    return `${unsure}; send all of it again${batch}: what is stored already is not stored twice`
  }
  if (isKept)
    return known
      ? `${known}; send all of it again with the same batch id to go on behind them`
      : 'nothing is settled; send all of it again with the same batch id'
  return known ? `${known}; send all of it again to go on` : 'nothing was stored'
}

/** The COMMIT of a batch went unanswered. */
const isOutcomeUnknown = (error: unknown) => error instanceof AppError && error.code === 'outcome_unknown'

/** Locks, deadlocks and statements that PostgreSQL gave up. The same lines may succeed a moment later. */
const isLockTimeout = (error: unknown) => /^(55P03|40001|40P01|57014)$/.test(sqlState(error) ?? '')

/** The error of a request's or file's stream whose other side is gone. */
const isBrokenSource = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
