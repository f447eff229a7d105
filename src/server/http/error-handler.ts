import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { ErrorReply } from '#contract/schemas/errors.ts'
import { AppError, type ErrorCode, isDatabaseAway, isPoolBusy, sqlState } from '#server/lib/errors.ts'
import { joinProblems, listProblems } from './problems.ts'

const mostBytes = 32 * 1024 * 1024
const mostMs = 20_000

/**
 * Reads and discards the rest of a refused body, up to 32 MB and 20 seconds. A client that writes its whole body before
 * it reads would otherwise lose the connection instead of getting the answer.
 */
function discardRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return
  // With unread bytes the connection would be reset before the client reads the answer.
  reply.removeHeader('connection')
  let left = mostBytes
  const end = () => raw.destroy()
  const timer = setTimeout(end, mostMs).unref()
  raw
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) end()
    })
    .once('close', () => clearTimeout(timer))
    .resume()
}

/** Fastify's refusals, with our messages and codes. */
const fastifyRefusals: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError('invalid', 'The body is not valid JSON'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new AppError('invalid', 'The body is empty, but its content type says JSON'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported_media_type', 'The body must be application/json'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too_large', 'The body is too large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('invalid', 'Content-Length does not match the body'),
  FST_ERR_BAD_URL: new AppError('invalid', 'The address is not a valid URL'),
  FST_ERR_MAX_PARAM_LENGTH: new AppError('not_found', 'No such address'),
}

const rowsLocked = 'Another change of the same data is still under way'
/** Errors after which PostgreSQL rolls back the whole transaction. */
const databaseGaveUp: Record<string, string> = {
  '55P03': rowsLocked,
  '40001': rowsLocked,
  '40P01': rowsLocked,
  '57014': 'The database took too long',
}

/** Only failures that may be retried. A COMMIT without an answer is not among them and has its own error. */
function toUnavailable(error: FastifyError, method: string): AppError | undefined {
  const then = method === 'GET' || method === 'HEAD' ? 'try' : 'nothing was changed. Try'
  const refuse = (code: ErrorCode, what: string) =>
    new AppError(code, `${what}; ${then} again in a moment`, { retryAfter: 2 })
  if (isPoolBusy(error)) return refuse('overloaded', 'The console has too much to do')
  if (isDatabaseAway(error)) return refuse('database_unavailable', 'The database is not available right now')
  const gaveUp = databaseGaveUp[sqlState(error) ?? '']
  return gaveUp ? refuse('busy', gaveUp) : undefined
}

function toAppError(error: FastifyError, method: string): AppError | undefined {
  if (error instanceof AppError) return error
  const known = fastifyRefusals[error.code]
  if (known) return known
  if (hasZodFastifySchemaValidationErrors(error)) {
    // Of several values of a parameter none has a name of its own.
    const names = error.validationContext === 'querystring' ? 1 : undefined
    const refused = error.validation.map(({ instancePath, message = 'is not valid', params }) => ({
      path: instancePath.split('/').filter(Boolean).slice(0, names),
      message,
      keys: params['keys'],
    }))
    const details = listProblems(refused, error.validationContext ?? 'body')
    return new AppError('invalid', joinProblems(details), { details })
  }
  const unavailable = toUnavailable(error, method)
  if (unavailable) return unavailable
  // Class 22: a value that PostgreSQL cannot read. Parsing should have refused it, and the caller sent it.
  if (sqlState(error)?.startsWith('22')) return new AppError('invalid', 'A value is not valid')
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError(error.statusCode === 413 ? 'too_large' : 'invalid', error.message)
  return undefined
}

/** Whether details contain anything. A state that nobody set has none. */
const hasDetails = (details: ErrorReply['details'] = {}): boolean =>
  Object.values(details).some((value) => value !== undefined)

function sendRefusal(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  if (error.code === 'too_large') discardRest(request, reply)
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  const body: ErrorReply = {
    message: error.message,
    code: error.code,
    ...(hasDetails(error.details) && { details: error.details }),
    ...(error.status >= 500 && { requestId: request.id }),
  }
  return reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Logs 5xx: unknown and internal errors as errors, temporary ones as warnings. */
function logFailure(error: FastifyError, known: AppError | undefined, request: FastifyRequest) {
  const err = isResponseSerializationError(error) ? error.cause : error
  if (!known || known.code === 'internal') request.log.error({ err }, 'request failed')
  // Our own refusal, so its stack says nothing.
  else if (error instanceof AppError && error.cause === undefined)
    request.log.warn({ code: known.code }, `refused: ${known.message}`)
  else request.log.warn({ code: known.code, err }, 'refused for a while')
}

/** Turns errors into replies. Unknown errors answer a plain 500 and are logged in full. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const known = toAppError(error, request.method)
  // A read that was aborted because the client left is not a failure.
  const isStopped = reply.raw.destroyed && (error.name === 'AbortError' || sqlState(error) === '57014')
  if (!isStopped && (!known || known.status >= 500)) logFailure(error, known, request)
  return sendRefusal(known ?? new AppError('internal', 'Something went wrong on our side'), request, reply)
}
