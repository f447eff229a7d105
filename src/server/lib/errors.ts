import { errorStatuses, type ErrorCode } from '#contract/errors.ts'
import type { ErrorReply } from '#contract/schemas/errors.ts'

export type { ErrorCode }

/** What passes by itself: always answered with `Retry-After`. */
export const temporaryCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'too_many_requests',
  'database_unavailable',
  'outcome_unknown',
  'busy',
  'overloaded',
  'chain_busy',
])

/** The one way to refuse: thrown by services, mapped to a reply by the error handler. */
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

/** A wrong field, named as the caller sent it. */
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

/** An instant within a message, in the form of product 9.8; the server knows no other zone than UTC. */
export function formatInstant(at: string): string {
  const parts = Object.fromEntries(utcFormat.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return `${parts.month} ${parts.day}, ${parts.year} at ${parts.hour}:${parts.minute} UTC`
}

/** How something stands, who set it so and when. */
export function describeSetter(present: string, by?: string | null, at?: string | null): string {
  const since = [by && `set by ${by}`, at && `on ${formatInstant(at)}`].filter(Boolean).join(' ')
  return since ? `${present} (${since})` : present
}

/**
 * The thing stands otherwise than the caller believed. The message says how, who set it and when; `details` says the same
 * for programs, `status` being the value that the thing's own answer has.
 */
export const conflict = (
  code: ErrorCode,
  present: string,
  state: { status?: string; by?: string | null | undefined; at?: string | null | undefined } = {},
) => new AppError(code, describeSetter(present, state.by, state.at), { details: state })

/** Refuses a change that was decided on an older state than the present one (product 8.4). */
export function requireVersion(ifMatch: number | undefined, present: number, refusal: () => AppError): void {
  if (ifMatch !== undefined && ifMatch !== present) throw refusal()
}

// The digit tells it from a system error such as EPIPE.
const sqlStateForm = /^(?=.*\d)[0-9A-Z]{5}$/

/** SQLSTATE of a PostgreSQL error, wherever a library has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let e: unknown = error; e instanceof Error; e = e.cause)
    if ('code' in e && typeof e.code === 'string' && sqlStateForm.test(e.code)) return e.code
  return undefined
}

const lostConnection = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/
const lostConnectionText =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/

/** The database is away, starting or stopping: the caller may ask again. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return /^(08|57P|53)/.test(state)
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && lostConnection.test(e.code) && 'syscall' in e) return true
    if (lostConnectionText.test(e.message)) return true
    if (e instanceof AggregateError && e.errors.some(isDatabaseAway)) return true
  }
  return false
}
