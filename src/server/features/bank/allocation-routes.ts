import type { FastifyInstance } from 'fastify'
import { allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { describeCandidatesRead, describeOrderPaymentsRead } from './lines-read.ts'
import {
  findLineTarget,
  findAllocationsTarget,
  findAllocationTarget,
  findPolicyTarget,
} from './allocations/approval-targets.ts'
import { applyAllocations } from './allocations/apply.ts'
import { readMemberPayers } from './allocations/payer-accounts.ts'
import { readOrderPayments } from './allocations/order-payments.ts'
import { undoAllocation, undoAllocations } from './allocations/undo.ts'
import { applyExact } from './allocations/apply-exact.ts'
import { claimLine, releaseLine } from './allocations/line-rules.ts'
import { findCredits } from './line-detail/find-credits.ts'
import { evaluateOrder, readLineDetail } from './line-detail/line-detail.ts'
import { readPolicy, savePolicy } from './shared/policy.ts'

export function registerAllocationRoutes(app: FastifyInstance): void {
  registerMoneyRoutes(app)
  registerProposalRoutes(app)
}

/** The calls that move money (product 8.2). */
function registerMoneyRoutes(app: FastifyInstance): void {
  mountApprovable(app, allocationRoutes.apply, {
    action: () => 'apply_payment',
    findTarget: (db, { params }) => findLineTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: allocationTexts.applied,
      ...(await applyAllocations(ctx, params.id, body, ifMatch)),
    }),
  })

  mountApprovable(app, allocationRoutes.undo, {
    action: () => 'undo_payment',
    findTarget: (db, { params }) => findAllocationTarget(db, params.id),
    run: async (ctx, { params, body }) => ({
      message: allocationTexts.undone,
      ...(await undoAllocation(ctx, params.id, body)),
    }),
  })

  mountApprovable(app, allocationRoutes.undoAllocations, {
    action: () => 'undo_payment',
    findTarget: (db, { body }) => findAllocationsTarget(db, body.allocationIds),
    run: async (ctx, { params, body }) => ({
      message: allocationTexts.undone,
      ...(await undoAllocations(ctx, params.id, body)),
    }),
  })

  mount(
    app,
    allocationRoutes.orderPayments,
    async (ctx, { params }) => readOrderPayments(ctx, params.id),
    describeOrderPaymentsRead,
  )

  mount(
    app,
    allocationRoutes.memberPayers,
    async (ctx, { params }) => readMemberPayers(ctx, params.id),
    (_, _query, { id }) => ({ kind: 'payers', opened: id }),
  )
}

function registerProposalRoutes(app: FastifyInstance): void {
  mount(
    app,
    allocationRoutes.line,
    async (ctx, { params }) => readLineDetail(ctx, params.id),
    ({ line, candidates }) => describeCandidatesRead(line.id, candidates),
  )

  mount(
    app,
    allocationRoutes.score,
    async (ctx, { params, body }) => evaluateOrder(ctx, params.id, body.orderId),
    ({ candidate }, _query, { id }) => describeCandidatesRead(id, [candidate]),
  )

  mount(
    app,
    allocationRoutes.credits,
    async (ctx, { params, query }) => findCredits(ctx, params.id, query.search),
    ({ candidates }, _query, { id }) => describeCandidatesRead(id, candidates),
  )

  mount(app, allocationRoutes.claim, async (ctx, { params }) => claimLine(ctx, params.id))

  mount(app, allocationRoutes.release, async (ctx, { params }) => releaseLine(ctx, params.id))

  mount(app, allocationRoutes.applyExact, async (ctx, { body }) => applyExact(ctx, body))

  mount(app, allocationRoutes.policy, async (ctx) => ({ policy: await readPolicy(ctx) }))

  mountApprovable(app, allocationRoutes.savePolicy, {
    action: () => 'set_bank_policy',
    findTarget: (db) => findPolicyTarget(db),
    run: async (ctx, { body, ifMatch }) => ({
      message: allocationTexts.policySaved,
      policy: await savePolicy(ctx, body, ifMatch),
    }),
  })
}
