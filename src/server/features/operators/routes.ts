import type { FastifyInstance } from 'fastify'
import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import { mount } from '#server/http/mount.ts'
import { disableOperator, enableOperator, endOperatorSessions, setRole } from './change.ts'
import { registerInvitationPage } from './invitation-page.ts'
import { inviteOperator, renewInvitation } from './invitations.ts'
import { listOperators } from './list.ts'

export function registerOperatorRoutes(app: FastifyInstance): void {
  mount(app, operatorRoutes.list, async (ctx) => ({ operators: await listOperators(ctx) }))

  mount(app, operatorRoutes.invite, async (ctx, { body }) => ({
    message: operatorTexts.invited,
    ...(await inviteOperator(ctx, body)),
  }))

  mount(app, operatorRoutes.renewInvitation, async (ctx, { params }) => ({
    message: operatorTexts.renewed,
    ...(await renewInvitation(ctx, params.id)),
  }))

  mount(app, operatorRoutes.setRole, async (ctx, { params, body, ifMatch }) => ({
    message: operatorTexts.roleChanged,
    operator: await setRole(ctx, { id: params.id }, body.role, ifMatch),
  }))

  mount(app, operatorRoutes.disable, async (ctx, { params, body, ifMatch }) => ({
    message: operatorTexts.disabled,
    operator: await disableOperator(ctx, { id: params.id }, body.reason.trim(), ifMatch),
  }))

  mount(app, operatorRoutes.enable, async (ctx, { params, body, ifMatch }) => ({
    message: operatorTexts.enabled,
    operator: await enableOperator(ctx, { id: params.id }, body.reason.trim(), ifMatch),
  }))

  mount(app, operatorRoutes.endSessions, async (ctx, { params }) => ({
    message: operatorTexts.sessionsEnded,
    operator: await endOperatorSessions(ctx, params.id),
  }))

  registerInvitationPage(app)
}
