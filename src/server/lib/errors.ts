import { errorStatuses, type ErrorCode } from '#contract/errors.ts'
import type { ErrorReply } from '#contract/schemas/errors.ts'

export type { ErrorCode }

/** Codes of temporary failures, always answered with `Retry-After`. */
export const temporaryCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'too_many_requests',
  'erasure_limit',
  'database_unavailable',
  'outcome_unknown',
  'store_unavailable',
  'busy',
  'overloaded',
  'chain_busy',
])

/** The error of every refusal. Services throw it, the error handler turns it into a reply. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorReply['details']
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: ErrorReply['details'] | undefined; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.code = code
    this.details = extra.details
    this.retryAfter = extra.retryAfter ?? (temporaryCodes.has(code) ? 2 : undefined)
  }

  get status() {
    return errorStatuses[this.code]
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found`)

/** A wrong field, under the name that the caller used. */
export const invalidField = (field: string, problem: string) =>
  new AppError('invalid', `${field}: ${problem}`, { details: [{ field, message: problem }] })

const utcFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

const formatParts = (at: string) =>
  Object.fromEntries(utcFormat.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))

/** Formats an instant for a message (product 9.8). The server only uses UTC. */
export function formatInstant(at: string): string {
  const parts = formatParts(at)
  return `${parts.month} ${parts.day}, ${parts.year} at ${parts.hour}:${parts.minute} UTC`
}

/** A day, written as `2026-05-01`, in the words of `formatInstant`. */
export function formatDay(day: string): string {
  const parts = formatParts(day)
  return `${parts.month} ${parts.day}, ${parts.year}`
}

/** A state with who set it and when. */
export function describeSetter(present: string, by?: string | null, at?: string | null): string {
  const since = [by && `set by ${by}`, at && `on ${formatInstant(at)}`].filter(Boolean).join(' ')
  return since ? `${present} (${since})` : present
}

/**
 * The error for a state that differs from what the caller expects. The message has the state, who set it and when.
 * `details` has the same for programs, with `status` as in the replies of the entity.
 */
export const conflict = (
  code: ErrorCode,
  present: string,
  state: { status?: string; by?: string | null | undefined; at?: string | null | undefined } = {},
) => new AppError(code, describeSetter(present, state.by, state.at), { details: state })

/** Refuses a change that was decided on an older version (product 8.4). */
export function requireVersion(ifMatch: number | undefined, present: number, refusal: () => AppError): void {
  if (ifMatch !== undefined && ifMatch !== present) throw refusal()
}

// The digit distinguishes it from a system error such as EPIPE.
const sqlStateForm = /^(?=.*\d)[0-9A-Z]{5}$/

/** The SQLSTATE of a PostgreSQL error, even if a library wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error; e instanceof Error; e = e.cause)
    if ('code' in e && typeof e.code === 'string' && sqlStateForm.test(e.code)) return e.code
  return undefined
}

const lostConnection = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/
const lostConnectionText =
  /Connection terminated|timeout expired|Client has encountered a connection error|not queryable/

const poolBusyText = /timeout exceeded when trying to connect/

/** Whether all connections of the pool stayed in use while a caller waits for one. Then `isDatabaseAway` holds too. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && (poolBusyText.test(error.message) || isPoolBusy(error.cause))
}

/** Whether the database is away, starting or stopping, so that the caller may try again. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  // 25006: a server that takes no writes, such as a primary that has become a standby.
  if (state) return /^(08|57P|53|25006)/.test(state)
  if (isPoolBusy(error)) return true
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && lostConnection.test(e.code) && 'syscall' in e) return true
    if (lostConnectionText.test(e.message)) return true
    if (e instanceof AggregateError && e.errors.some(isDatabaseAway)) return true
  }
  return false
}
