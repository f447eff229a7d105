import type { FastifyInstance } from 'fastify'
import { securityRoutes } from '#contract/security.ts'
import { requestVerification } from '#server/features/audit-chain/service.ts'
import { mount } from '#server/http/mount.ts'
import { listEvents, listLogs, readSecurityFigures } from './lists.ts'
import { readProtection } from './protection.ts'
import { resolveEvent } from './resolve.ts'

export function registerSecurityRoutes(app: FastifyInstance): void {
  mount(app, securityRoutes.events, async (ctx, { query }) => listEvents(ctx, query))

  mount(app, securityRoutes.figures, async (ctx) => readSecurityFigures(ctx))

  mount(app, securityRoutes.integrity, async (ctx) => readProtection(ctx))

  mount(app, securityRoutes.verify, async (ctx) => requestVerification(ctx))

  mount(app, securityRoutes.resolve, async (ctx, { params, body, ifMatch }) => {
    const outcome = await resolveEvent(ctx, params.id, { ...body, ifMatch })
    return { message: 'Security event resolved', ...outcome }
  })

  mount(
    app,
    securityRoutes.logs,
    async (ctx, { query }) => listLogs(ctx, query),
    ({ logs }) => {
      const listed = logs.flatMap(({ targetMember }) => targetMember?.id ?? [])
      return listed.length === 0 ? null : { kind: 'audit_log', listed }
    },
  )
}
