import type { FastifyInstance } from 'fastify'
import { reconciliationRoutes } from '#contract/reconciliation.ts'
import { mount } from '#server/http/mount.ts'
import { claimLine, releaseLine } from './proposals/claims.ts'
import { judgeOrder, readLineDetail } from './proposals/line-detail.ts'

export function registerProposalRoutes(app: FastifyInstance): void {
  mount(app, reconciliationRoutes.line, async (ctx, { params }) => readLineDetail(ctx, params.id))

  mount(app, reconciliationRoutes.judge, async (ctx, { params, body }) => judgeOrder(ctx, params.id, body.orderId))

  mount(app, reconciliationRoutes.claim, async (ctx, { params }) => claimLine(ctx, params.id))

  mount(app, reconciliationRoutes.release, async (ctx, { params }) => releaseLine(ctx, params.id))
}
