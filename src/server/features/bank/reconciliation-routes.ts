import type { FastifyInstance } from 'fastify'
import { reconciliationRoutes, reconciliationTexts } from '#contract/reconciliation.ts'
import { mount } from '#server/http/mount.ts'
import { applyParts } from './parts/apply.ts'
import { readMemberPayers } from './parts/member-payers.ts'
import { readOrderPayments } from './parts/order-payments.ts'
import { undoPart } from './parts/undo.ts'

/** The calls that move money (product 8.2). */
export function registerReconciliationRoutes(app: FastifyInstance): void {
  mount(app, reconciliationRoutes.apply, async (ctx, { params, body, ifMatch }) => ({
    message: reconciliationTexts.applied,
    ...(await applyParts(ctx, params.id, body, ifMatch)),
  }))

  mount(app, reconciliationRoutes.undo, async (ctx, { params, body }) => ({
    message: reconciliationTexts.undone,
    ...(await undoPart(ctx, params.id, body)),
  }))

  mount(app, reconciliationRoutes.orderPayments, async (ctx, { params }) => readOrderPayments(ctx, params.id))

  mount(app, reconciliationRoutes.memberPayers, async (ctx, { params }) => readMemberPayers(ctx, params.id))
}
