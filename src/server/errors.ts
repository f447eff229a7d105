/** What each code answers as (PRODUCT 3.5). */
const statusOf = {
  invalid: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  database_unavailable: 503,
  outcome_unknown: 503,
  busy: 503,
  overloaded: 503,
  chain_disabled: 503,
  chain_unavailable: 503,
  chain_busy: 503,
  chain_wrong_network: 503,
  chain_bad_response: 502,
  chain_timeout: 504,
  kyc_provider_disabled: 503,
} as const
export type ErrorCode = keyof typeof statusOf

/** The one way to refuse: thrown by services, mapped to a reply by the error handler. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: unknown; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.code = code
    this.details = extra.details
    this.retryAfter = extra.retryAfter
  }

  get status() {
    return statusOf[this.code]
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

/** An instant within a message, in the form of PRODUCT 3.21; the server knows no other zone than UTC. */
export function inWords(at: string): string {
  const parts = Object.fromEntries(utcFormat.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return `${parts.month} ${parts.day}, ${parts.year} at ${parts.hour}:${parts.minute} UTC`
}

/** The thing stands otherwise than the caller believed; says how it stands, who set it and when (PRODUCT 3.5). */
export function conflict(present: string, by?: string | null, at?: string | null) {
  const since = [by && `set by ${by}`, at && `on ${inWords(at)}`].filter(Boolean).join(' ')
  return new AppError('conflict', since ? `${present} (${since})` : present, { details: { by, at } })
}

/** Refuses a change that was decided on an older state than the present one (PRODUCT 3.22). */
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
