import type { FastifyInstance } from 'fastify'
import { approvalRoutes, approvalTexts } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { setStepUpRule } from '#server/features/auth/service.ts'
import { mount } from '#server/http/mount.ts'
import { mountApprovable } from './approvable.ts'
import { approveRequest } from './approve.ts'
import { declineRequest, withdrawRequest } from './decide.ts'
import { getApproval, listApprovals } from './list.ts'
import { findRuleTarget, listOwnRules, listRules, saveRule } from './rules.ts'
import { seeApproval } from './see.ts'

const listMembers = (approvals: readonly Approval[]) => approvals.flatMap(({ memberId }) => memberId ?? [])

export function registerApprovalRoutes(app: FastifyInstance): void {
  mount(
    app,
    approvalRoutes.list,
    async (ctx, { query }) => listApprovals(ctx, query),
    ({ approvals }) => ({ kind: 'approvals', listed: listMembers(approvals) }),
  )

  mount(
    app,
    approvalRoutes.detail,
    async (ctx, { params }) => ({ approval: await getApproval(ctx, params.id) }),
    ({ approval: { memberId } }) => (memberId === null ? null : { kind: 'approvals', opened: memberId }),
  )

  mount(app, approvalRoutes.approve, async (ctx, { params, body }) => ({
    message: approvalTexts.approved,
    ...(await approveRequest(ctx, app.approvables, params.id, body.comment)),
  }))

  mount(app, approvalRoutes.decline, async (ctx, { params, body }) => ({
    message: approvalTexts.declined,
    approval: await declineRequest(ctx, params.id, body.comment),
  }))

  mount(app, approvalRoutes.withdraw, async (ctx, { params }) => ({
    message: approvalTexts.withdrawn,
    approval: await withdrawRequest(ctx, params.id),
  }))

  mount(app, approvalRoutes.see, async (ctx, { params }) => seeApproval(ctx, params.id))

  mount(app, approvalRoutes.ownRules, async (ctx) => ({ rules: await listOwnRules(ctx) }))

  mount(app, approvalRoutes.rules, async (ctx) => listRules(ctx))

  mount(app, approvalRoutes.saveStepUp, async (ctx, { params, body }) => ({
    message: approvalTexts.stepUpSaved,
    stepUp: await setStepUpRule(ctx, params.kind, body.isOn),
  }))

  mountApprovable(app, approvalRoutes.saveRule, {
    action: () => 'set_approval_rule',
    findTarget: (db, { params }) => findRuleTarget(db, params.action),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: approvalTexts.ruleSaved,
      rule: await saveRule(ctx, params.action, body, ifMatch),
    }),
  })
}
