import type { FastifyInstance } from 'fastify'
import { chainRoutes } from '#contract/chain.ts'
import { mount } from '#server/http/mount.ts'
import { readChainHealth } from './health.ts'

export function registerChainRoutes(app: FastifyInstance): void {
  mount(app, chainRoutes.health, async (ctx) => readChainHealth(ctx))
}
