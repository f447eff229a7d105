import type { FastifyInstance } from 'fastify'
import { reconciliationRoutes, reconciliationTexts } from '#contract/reconciliation.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { findPolicyTarget } from './allocations/approval-targets.ts'
import { applyExact } from './allocations/apply-exact.ts'
import { claimLine, releaseLine } from './allocations/claims.ts'
import { describeCandidatesRead } from './lines-read.ts'
import { findCredits } from './line-detail/find-credits.ts'
import { evaluateOrder, readLineDetail } from './line-detail/line-detail.ts'
import { readPolicy, savePolicy } from './shared/policy.ts'

export function registerProposalRoutes(app: FastifyInstance): void {
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
