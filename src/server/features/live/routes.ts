import type { FastifyInstance } from 'fastify'
import { liveLists, liveRoutes } from '#contract/live.ts'
import { adminOf, mayView, type Services } from '#server/core/context.ts'
import { mount } from '#server/http/mount.ts'
import { Hub, listPermissions } from './hub.ts'

export function registerLiveRoute(app: FastifyInstance, services: Services, buildId: string | undefined): void {
  const hub = new Hub(services, buildId)
  // Runs before the server waits for its connections, because a stream never ends by itself.
  app.addHook('preClose', () => hub.close())

  mount(app, liveRoutes.stream, async (ctx, { request, reply }) => {
    // A HEAD has no body to stream.
    if (request.method === 'HEAD') return reply.type('text/event-stream').send()
    const { sessionId } = adminOf(ctx)
    await hub.prepare(sessionId)
    // Bypasses Fastify, which would buffer, compress or serialise the stream.
    reply.hijack()
    const { raw } = reply
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value)
    raw.setHeader('x-accel-buffering', 'no')
    raw.writeHead(200)
    const { 'last-event-id': lastEventId } = request.headers
    // A change of the role ends the session, and with it the stream.
    const lists = new Set(liveLists.filter((list) => mayView(ctx, listPermissions[list])))
    hub.open(raw, { sessionId, lists }, typeof lastEventId === 'string' ? lastEventId : undefined)
    return reply
  })
}
