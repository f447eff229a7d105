import type { FastifyInstance } from 'fastify'
import { chainRoutes } from '#contract/chain.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { mount } from '#server/http/mount.ts'
import { checkContract } from './chain-check.ts'
import { createToken, listTokens, setTokenActive } from './registry.ts'

export function registerTokenRoutes(app: FastifyInstance): void {
  mount(app, tokenRoutes.list, async (ctx, { params }) => listTokens(ctx, params.kind))

  mount(app, tokenRoutes.create, async (ctx, { params, body }) => {
    const token = await createToken(ctx, params.kind, body)
    return { message: 'Token created successfully', token }
  })

  mount(app, tokenRoutes.setActive, async (ctx, { params, body, ifMatch }) => {
    const token = await setTokenActive(ctx, params, body.isActive, ifMatch)
    return { message: 'Token status updated successfully', token }
  })

  mount(app, chainRoutes.contract, async (ctx, { params }) => checkContract(ctx, params.address))
}
