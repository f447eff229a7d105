import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access, BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts'
import type { Ctx } from './context.ts'
import { invalidField } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, from where; set before a handler runs. */
    ctx: Ctx
  }
  interface FastifyContextConfig {
    access?: Access
    isPassive?: boolean
  }
}

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  /** The version the caller believes in (`If-Match`), where it sent one. */
  ifMatch: number | undefined
  request: FastifyRequest
  reply: FastifyReply
}
type Handler<R extends Route> = (ctx: Ctx, call: Call<R>) => Promise<ReplyOf<R> | FastifyReply | void>

/** Reads take no heed of it: browsers and caches may send an `If-Match` of their own. */
function readIfMatch({ method, headers: { 'if-match': header } }: FastifyRequest) {
  if (header === undefined || method === 'GET' || method === 'HEAD') return undefined
  const version = /^"?([1-9]\d{0,8})"?$/.exec(header)?.[1]
  if (!version) throw invalidField('If-Match', 'must be a version such as "3"')
  return Number(version)
}

/** A parameter given twice is refused by name, an empty one is absent (PRODUCT 3.7). */
function tidyQuery(query: Record<string, unknown>) {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw invalidField(name, 'is given more than once')
    if (value === '') delete query[name]
  }
}

/** Serves one call of the contract: input parsed, reply held to what the contract allows to leave. */
export function mount<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      summary: route.summary,
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body }),
      ...(route.reply && { response: { 200: route.reply } }),
    },
    config: { ...(route.access && { access: route.access }), ...(route.passive && { isPassive: true }) },
    preValidation: async (request) => {
      tidyQuery(request.query as Record<string, unknown>)
      // No body is an empty one: Fastify would hand null to the schema, which could then not say what is missing.
      if (route.body && request.body === undefined) request.body = {}
    },
    handler: async (request, reply) => {
      const result = await handler(request.ctx, {
        params: request.params as ParamsOf<R>,
        query: request.query as QueryOf<R>,
        body: request.body as BodyOf<R>,
        ifMatch: readIfMatch(request),
        request,
        reply,
      })
      if (reply.sent || result === reply) return reply
      if (route.reply) return result
      if (!route.raw) return reply.code(204).send()
      return result
    },
  })
}
