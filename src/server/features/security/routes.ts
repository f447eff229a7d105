import type { FastifyInstance } from 'fastify'
import { securityRoutes } from '#contract/security.ts'
import { mount } from '#server/mount.ts'
import { listEvents, listLogs } from './service.ts'

export function securityDoor(app: FastifyInstance): void {
  mount(app, securityRoutes.events, (ctx, { query }) => listEvents(ctx, query))
  mount(app, securityRoutes.logs, (ctx, { query }) => listLogs(ctx, query))
}
