import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { $ZodArray, $ZodNullable, $ZodObject, $ZodObjectJIT, $ZodType } from 'zod/v4/core'
import type { Access } from '#contract/permissions.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts'
import { ApprovalRequested } from '#contract/schemas/approvals.ts'
import { readScope } from '#contract/scopes.ts'
import type { StepUpKind } from '#contract/step-up.ts'
import { completeRoute } from '#contract/schemas/routes.ts'
import type { Ctx } from '#server/core/context.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import type { Precondition } from '#server/core/upsert.ts'
import { sha256 } from '#server/lib/hash.ts'
import type { DataAccessLog, MemberRead } from './data-access-log.ts'
import { joinProblems, listProblems } from './problems.ts'

/** Adds zod's compiled object check, which `zod/mini` lacks. Long lists are checked 6 times as fast. */
function compileSchema(schema: $ZodType): $ZodType {
  if (schema instanceof $ZodArray)
    return new $ZodArray({ ...schema._zod.def, element: compileSchema(schema._zod.def.element) })
  if (schema instanceof $ZodNullable)
    return new $ZodNullable({ ...schema._zod.def, innerType: compileSchema(schema._zod.def.innerType) })
  if (!(schema instanceof $ZodObject)) return schema
  const { def } = schema._zod
  const fields = Object.entries(def.shape).map(([name, field]) => [name, compileSchema(field)] as const)
  return new $ZodObjectJIT({ ...def, shape: Object.fromEntries(fields) })
}

/** Restricts replies to the contract: unknown fields are dropped, a wrong value is a 500. */
export const compileReply: typeof serializerCompiler = ({ schema, ...route }) =>
  serializerCompiler({ ...route, schema: schema instanceof $ZodType ? compileSchema(schema) : schema })

/**
 * Reads `If-Match` or `If-None-Match`. Changes that ignore them refuse them, because the caller relies on them. Reads
 * ignore both, because browsers and caches send them. Throws invalid.
 */
function readPrecondition(request: FastifyRequest, { access, method, versioned }: Route): Precondition | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
  if (method === 'GET' || (ifMatch === undefined && ifNoneMatch === undefined)) return undefined
  if (ifMatch !== undefined && !versioned) throw invalidField('If-Match', 'is not taken by this call')
  if (ifNoneMatch === undefined) return readIfMatch(ifMatch!)
  if (!versioned || method !== 'PUT' || readScope(access) === null)
    throw invalidField('If-None-Match', 'is not taken by this call')
  if (ifMatch !== undefined) throw invalidField('If-None-Match', 'contradicts If-Match; leave out one of the two')
  if (ifNoneMatch !== '*') throw invalidField('If-None-Match', 'must be *')
  return 'absent'
}

function readIfMatch(header: string): Precondition {
  if (header === '*') return 'exists'
  // A proxy that compresses answers makes their ETags weak.
  const version = /^(?:W\/(?="))?"?([1-9]\d{0,8})"?$/.exec(header)?.[1]
  if (!version) throw invalidField('If-Match', 'must be a version such as "3", or *')
  return Number(version)
}

const compress = promisify(gzip)

/** A shorter answer fits into one packet anyway. */
const leastBytes = 1400

const takesGzip = (accepted = '') => /(^|[\s,])gzip\s*(;\s*q=(1|0\.\d*[1-9])\S*\s*)?(,|$)/i.test(accepted)

/** Compares weakly, as a GET does. */
const isKnown = (etag: string, known = '') =>
  known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))

/** The onSend hook of a call whose answer may be compressed: with an ETag of its content, and 304 to who has it. */
async function compressReply({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const etag = `W/"${sha256(payload).toString('base64url')}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnown(etag, headers['if-none-match'])) {
    reply.code(304).removeHeader('content-type')
    return null
  }
  if (payload.length < leastBytes || !takesGzip(headers['accept-encoding'])) return payload
  reply.header('content-encoding', 'gzip')
  return compress(payload)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, from where. Set before a handler runs. */
    ctx: Ctx
  }
  interface FastifyInstance {
    dataAccess: DataAccessLog
  }
  interface FastifyContextConfig {
    access?: Access
    isPassive?: boolean
    /** Repeating the call changes nothing, so it is not a move. */
    isRepeatable?: boolean
    needsStepUp?: boolean
    stepUpKind?: StepUpKind
    /** It confirms who uses the session. */
    isConfirmation?: boolean
    isForEnrolment?: boolean
  }
}

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  /** The `If-Match` or `If-None-Match` of the caller. */
  precondition: Precondition | undefined
  /** The version that the caller expects, if given. */
  ifMatch: number | undefined
  request: FastifyRequest
  reply: FastifyReply
}
type Handler<R extends Route> = (ctx: Ctx, call: Call<R>) => Promise<ReplyOf<R> | FastifyReply | void>

/**
 * Refuses unknown query parameters of platform calls: with a misspelt parameter a program would store what it meant to
 * try, or read the first page for ever. The console's own calls ignore them.
 */
function refuseUnknownQuery(given: object, { access, query }: Route) {
  if (readScope(access) === null && access !== 'provider') return
  const known = Object.keys(query?.shape ?? {})
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const only = known.length > 0 ? `only ${listFormat.format(known)}` : 'this call has no query parameters'
  const details = listProblems([{ path: [], message: '', keys: unknown }], 'query')
  throw new AppError('invalid', `${joinProblems(details)}; ${only}`, { details })
}
const listFormat = new Intl.ListFormat('en-GB')

/** Refuses repeated parameters by name and drops empty ones (product 4.3). */
function tidyQuery(query: Record<string, unknown>) {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw invalidField(name, 'is given more than once')
    if (value === '') delete query[name]
  }
}

/**
 * Serves one call of the contract: parses its input and restricts its reply. `findRead` names the members or payers in
 * a reply; the contract says which calls have some. Null: none in this one.
 */
export function mount<R extends Route>(
  app: FastifyInstance,
  plain: R,
  handler: Handler<R>,
  findRead?: (reply: ReplyOf<R>, query: QueryOf<R>, params: ParamsOf<R>) => MemberRead | null,
): void {
  const route = completeRoute(plain)
  if ((route.readsMembers === true) !== (findRead !== undefined))
    throw new Error(`${route.method} ${route.path}: does it read members?`)
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      summary: route.summary,
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body }),
      ...(route.reply && { response: { 200: route.reply, ...(route.approvals && { 202: ApprovalRequested }) } }),
    },
    config: {
      access: route.access,
      ...(route.passive && { isPassive: true }),
      ...(route.repeatable && { isRepeatable: true }),
      ...(route.stepUp && { needsStepUp: true }),
      ...(route.stepUpKind && { stepUpKind: route.stepUpKind }),
      ...(route.confirms && { isConfirmation: true }),
      ...(route.enrolment && { isForEnrolment: true }),
    },
    preValidation: async (request) => {
      refuseUnknownQuery(Object(request.query) as object, route)
      tidyQuery(request.query as Record<string, unknown>)
      // Fastify would pass null to the schema, which could then not name the missing fields.
      if (route.body && request.body === undefined) request.body = {}
    },
    ...(route.compressed && { onSend: compressReply }),
    handler: async (request, reply) => {
      const { ctx } = request
      const precondition = readPrecondition(request, route)
      const result = await handler(route.method === 'GET' ? { ...ctx, reads: ctx.database.reads(request) } : ctx, {
        params: request.params as ParamsOf<R>,
        query: request.query as QueryOf<R>,
        body: request.body as BodyOf<R>,
        precondition,
        ifMatch: typeof precondition === 'number' ? precondition : undefined,
        request,
        reply,
      })
      if (reply.sent || result === reply) return reply
      // A handler with a reply schema returns that reply.
      const read = findRead?.(result as ReplyOf<R>, request.query as QueryOf<R>, request.params as ParamsOf<R>)
      if (read) app.dataAccess.record(ctx, read)
      if (route.reply) return result
      if (!route.raw) return reply.code(204).send()
      return result
    },
  })
}
