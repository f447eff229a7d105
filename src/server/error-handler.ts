import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { ErrorReply } from '#contract/common.ts'
import { AppError, isDatabaseAway, sqlState } from './errors.ts'

/** Fastify's own refusals, in our words and codes. */
const fastifyRefusals: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError('invalid', 'The body is not valid JSON'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new AppError('invalid', 'The body is empty, but its content type says JSON'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported_media_type', 'The body must be application/json'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too_large', 'The body is too large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('invalid', 'Content-Length does not match the body'),
  FST_ERR_BAD_URL: new AppError('invalid', 'The address is not a valid URL'),
}

function asAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  const known = fastifyRefusals[error.code]
  if (known) return known
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map((issue) => ({
      field: issue.instancePath.split('/').filter(Boolean).join('.') || (error.validationContext ?? 'body'),
      message: issue.message ?? 'is not valid',
    }))
    return new AppError('invalid', fields.map((f) => `${f.field}: ${f.message}`).join('; '), { details: fields })
  }
  if (isDatabaseAway(error))
    return new AppError('database_unavailable', 'The database is not available right now; nothing was changed', {
      retryAfter: 2,
    })
  // Class 22: a value PostgreSQL cannot read. Parsing should have caught it, but it is still the caller's value.
  if (sqlState(error)?.startsWith('22')) return new AppError('invalid', 'A value is not valid')
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError(error.statusCode === 413 ? 'too_large' : 'invalid', error.message)
  return undefined
}

function answer(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  const body: ErrorReply = {
    message: error.message,
    code: error.code,
    ...(error.details !== undefined && { details: error.details }),
    ...(error.status >= 500 && { requestId: request.id }),
  }
  return reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** The one place where errors become replies. What is not ours answers a plain 500, and its whole is in the log. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asAppError(error)
    if (known && known.status < 500) return answer(known, request, reply)
    const cause = isResponseSerializationError(error) ? error.cause : error
    if (known) request.log.warn({ err: cause }, 'refused for a while')
    else request.log.error({ err: cause }, 'request failed')
    return answer(known ?? new AppError('internal', 'Something went wrong on our side'), request, reply)
  })
}
