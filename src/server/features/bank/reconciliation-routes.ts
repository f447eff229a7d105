import type { FastifyInstance } from 'fastify'
import { reconciliationRoutes, reconciliationTexts } from '#contract/reconciliation.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { describeCandidatesRead, describeOrderPaymentsRead } from './lines-read.ts'
import { findLineTarget, findPartsTarget, findPartTarget, findPolicyTarget } from './allocations/approval-targets.ts'
import { applyParts } from './allocations/apply.ts'
import { readMemberPayers } from './allocations/payer-accounts.ts'
import { readOrderPayments } from './allocations/order-payments.ts'
import { undoPart, undoParts } from './allocations/undo.ts'
import { applyExact } from './allocations/apply-exact.ts'
import { claimLine, releaseLine } from './allocations/claims.ts'
import { findCredits } from './line-detail/find-credits.ts'
import { evaluateOrder, readLineDetail } from './line-detail/line-detail.ts'
import { readPolicy, savePolicy } from './shared/policy.ts'

export function registerReconciliationRoutes(app: FastifyInstance): void {
  registerMoneyRoutes(app)
  registerProposalRoutes(app)
}

/** The calls that move money (product 8.2). */
function registerMoneyRoutes(app: FastifyInstance): void {
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

function registerProposalRoutes(app: FastifyInstance): void {
  mount(
    app,
    reconciliationRoutes.line,
    async (ctx, { params }) => readLineDetail(ctx, params.id),
    ({ line, candidates }) => describeCandidatesRead(line.id, candidates),
  )

  mount(
    app,
    reconciliationRoutes.judge,
    async (ctx, { params, body }) => evaluateOrder(ctx, params.id, body.orderId),
    ({ candidate }, _query, { id }) => describeCandidatesRead(id, [candidate]),
  )

  mount(
    app,
    reconciliationRoutes.credits,
    async (ctx, { params, query }) => findCredits(ctx, params.id, query.search),
    ({ candidates }, _query, { id }) => describeCandidatesRead(id, candidates),
  )

  mount(app, reconciliationRoutes.claim, async (ctx, { params }) => claimLine(ctx, params.id))

  mount(app, reconciliationRoutes.release, async (ctx, { params }) => releaseLine(ctx, params.id))

  mount(app, reconciliationRoutes.applyExact, async (ctx, { body }) => applyExact(ctx, body))

  mount(app, reconciliationRoutes.policy, async (ctx) => ({ policy: await readPolicy(ctx) }))

  mountApprovable(app, reconciliationRoutes.savePolicy, {
    action: () => 'set_bank_policy',
    findTarget: (db) => findPolicyTarget(db),
    run: async (ctx, { body, ifMatch }) => ({
      message: reconciliationTexts.policySaved,
      policy: await savePolicy(ctx, body, ifMatch),
    }),
  })
}
