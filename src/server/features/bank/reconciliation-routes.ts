import type { FastifyInstance } from 'fastify'
import { reconciliationRoutes, reconciliationTexts } from '#contract/reconciliation.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { describeOrderPaymentsRead } from './lines-read.ts'
import { findLineTarget, findPartsTarget, findPartTarget } from './allocations/approval-targets.ts'
import { applyParts } from './allocations/apply.ts'
import { readMemberPayers } from './allocations/member-payers.ts'
import { readOrderPayments } from './allocations/order-payments.ts'
import { undoPart, undoParts } from './allocations/undo.ts'

/** The calls that move money (product 8.2). */
export function registerReconciliationRoutes(app: FastifyInstance): void {
  mountApprovable(app, reconciliationRoutes.apply, {
    action: () => 'apply_payment',
    findTarget: (db, { params }) => findLineTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: reconciliationTexts.applied,
      ...(await applyParts(ctx, params.id, body, ifMatch)),
    }),
  })

  mountApprovable(app, reconciliationRoutes.undo, {
    action: () => 'undo_payment',
    findTarget: (db, { params }) => findPartTarget(db, params.id),
    run: async (ctx, { params, body }) => ({
      message: reconciliationTexts.undone,
      ...(await undoPart(ctx, params.id, body)),
    }),
  })

  mountApprovable(app, reconciliationRoutes.undoParts, {
    action: () => 'undo_payment',
    findTarget: (db, { body }) => findPartsTarget(db, body.partIds),
    run: async (ctx, { params, body }) => ({
      message: reconciliationTexts.undone,
      ...(await undoParts(ctx, params.id, body)),
    }),
  })

  mount(
    app,
    reconciliationRoutes.orderPayments,
    async (ctx, { params }) => readOrderPayments(ctx, params.id),
    describeOrderPaymentsRead,
  )

  mount(
    app,
    reconciliationRoutes.memberPayers,
    async (ctx, { params }) => readMemberPayers(ctx, params.id),
    (_, _query, { id }) => ({ kind: 'payers', opened: id }),
  )
}
