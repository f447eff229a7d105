import type { FastifyInstance } from 'fastify'
import type { SearchReply } from '#contract/schemas/search.ts'
import { searchRoutes } from '#contract/search.ts'
import { mount } from '#server/http/mount.ts'
import { findRecent, search } from './search.ts'

/** Every member that a hit names. */
const findRead = ({ members, orders, platformTransactions }: SearchReply) => ({
  kind: 'search' as const,
  listed: [...members.map(({ id }) => id), ...[...orders, ...platformTransactions].map(({ userId }) => userId)],
})

export function registerSearchRoutes(app: FastifyInstance): void {
  mount(app, searchRoutes.search, async (ctx, { query }) => search(ctx, query.q), findRead)
  mount(
    app,
    searchRoutes.recent,
    async (ctx, { query: { members = [], orders = [] } }) => findRecent(ctx, { members, orders }),
    findRead,
  )
}
