import type { FastifyInstance } from 'fastify'
import { chainRoutes } from '#contract/chain.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { mount } from '#server/http/mount.ts'
import { describeNewToken, findTokenTarget } from './approval-target.ts'
import { checkContract } from './chain-check.ts'
import { createToken, listTokens, setTokenActive } from './registry.ts'

export function registerTokenRoutes(app: FastifyInstance): void {
  mount(app, tokenRoutes.list, async (ctx, { params }) => listTokens(ctx, params.kind))

  mountApprovable(app, tokenRoutes.create, {
    action: () => 'create_token',
    findTarget: async (_db, { params, body }) => describeNewToken(params.kind, body),
    run: async (ctx, { params, body }) => {
      const token = await createToken(ctx, params.kind, body)
      return { message: 'Token created successfully', token }
    },
  })

  mountApprovable(app, tokenRoutes.setActive, {
    action: () => 'switch_token',
    findTarget: (db, { params }) => findTokenTarget(db, params),
    run: async (ctx, { params, body, ifMatch }) => {
      const token = await setTokenActive(ctx, params, body.isActive, ifMatch)
      return { message: 'Token status updated successfully', token }
    },
  })

  mount(app, chainRoutes.contract, async (ctx, { params }) => checkContract(ctx, params.address))
}
