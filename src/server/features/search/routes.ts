import type { FastifyInstance } from 'fastify'
import { searchRoutes } from '#contract/search.ts'
import { mount } from '#server/http/mount.ts'
import { findRecent, search } from './search.ts'

export function registerSearchRoutes(app: FastifyInstance): void {
  mount(app, searchRoutes.search, async (ctx, { query }) => search(ctx, query.q))
  mount(app, searchRoutes.recent, async (ctx, { query: { members = [], orders = [] } }) =>
    findRecent(ctx, { members, orders }),
  )
}
