import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '#contract/permissions.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts'
import { ApprovalRequested } from '#contract/schemas/approvals.ts'
import { readScope } from '#contract/scopes.ts'
import type { StepUpKind } from '#contract/step-up.ts'
import { completeRoute } from '#contract/schemas/routes.ts'
import type { Ctx } from '#server/core/context.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import type { Precondition } from '#server/core/upsert.ts'
import { compressReply } from './compressed-reply.ts'
import type { DataAccessLog, MemberRead } from './data-access-log.ts'
import { readPrecondition } from './preconditions.ts'
import { joinProblems, listProblems } from './problems.ts'

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
    /** Repeating the call changes nothing, so it is no move. */
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
 * Refuses unknown query parameters of platform calls: with a misspelt parameter a program would store what it meant to try,
 * or read the first page for ever. The console's own calls ignore them.
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
 * Serves one call of the contract: parses its input and restricts its reply. `findRead` names the members or payers in a reply; the contract
 * says which calls have some. Null: none in this one.
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
      ...(route.reply && {
        response: { 200: route.reply, ...(route.approvals && { 202: ApprovalRequested }) },
      }),
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
