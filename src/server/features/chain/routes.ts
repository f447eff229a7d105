import type { FastifyInstance } from 'fastify'
import { chainRoutes } from '#contract/chain.ts'
import { mount } from '#server/http/mount.ts'
import { chainHealth } from './health.ts'

export function chainDoor(app: FastifyInstance): void {
  mount(app, chainRoutes.health, async (ctx) => chainHealth(ctx))
}
