import type { FastifyInstance } from 'fastify'
import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { describeInvited, findOperatorTarget } from './approval-target.ts'
import { disableOperator, enableOperator, endOperatorSessions, resetFactors, setRole } from './change.ts'
import { registerInvitationPage } from './invitation-page.ts'
import { inviteOperator, renewInvitation } from './invitations.ts'
import { listOperators } from './access.ts'

/** Anyone who gives access, or makes it easier, needs an approval; anyone who takes it away never waits for one. */
const action = () => 'change_operators' as const

export function registerOperatorRoutes(app: FastifyInstance): void {
  mount(app, operatorRoutes.list, async (ctx) => ({ operators: await listOperators(ctx) }))

  mountApprovable(app, operatorRoutes.invite, {
    action,
    findTarget: async (_db, { body }) => describeInvited(body.username),
    run: async (ctx, { body }) => ({ message: operatorTexts.invited, ...(await inviteOperator(ctx, body)) }),
  })

  mountApprovable(app, operatorRoutes.renewInvitation, {
    action,
    findTarget: (db, { params }) => findOperatorTarget(db, params.id),
    run: async (ctx, { params }) => ({ message: operatorTexts.renewed, ...(await renewInvitation(ctx, params.id)) }),
  })

  mountApprovable(app, operatorRoutes.setRole, {
    action,
    findTarget: (db, { params }) => findOperatorTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: operatorTexts.roleChanged,
      operator: await setRole(ctx, { id: params.id }, body.role, ifMatch),
    }),
  })

  mount(app, operatorRoutes.disable, async (ctx, { params, body, ifMatch }) => ({
    message: operatorTexts.disabled,
    operator: await disableOperator(ctx, { id: params.id }, body.reason.trim(), ifMatch),
  }))

  mountApprovable(app, operatorRoutes.enable, {
    action,
    findTarget: (db, { params }) => findOperatorTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: operatorTexts.enabled,
      operator: await enableOperator(ctx, { id: params.id }, body.reason.trim(), ifMatch),
    }),
  })

  mountApprovable(app, operatorRoutes.resetFactors, {
    action,
    findTarget: (db, { params }) => findOperatorTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => ({
      message: operatorTexts.factorsReset,
      operator: (await resetFactors(ctx, { id: params.id }, body.reason.trim(), ifMatch)).operator,
    }),
  })

  mount(app, operatorRoutes.endSessions, async (ctx, { params }) => ({
    message: operatorTexts.sessionsEnded,
    operator: await endOperatorSessions(ctx, params.id),
  }))

  registerInvitationPage(app)
}
