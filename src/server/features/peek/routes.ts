import type { FastifyInstance } from 'fastify'
import { peekRoutes } from '#contract/peek.ts'
import { mount } from '#server/http/mount.ts'
import { peekMember, peekOrder } from './peek.ts'

export function registerPeekRoutes(app: FastifyInstance): void {
  mount(
    app,
    peekRoutes.member,
    async (ctx, { params }) => peekMember(ctx, params.id),
    ({ user: { id } }, { ahead }) => (ahead ? { kind: 'member', ahead: id } : { kind: 'member', opened: id }),
  )

  mount(
    app,
    peekRoutes.order,
    async (ctx, { params }) => peekOrder(ctx, params.id),
    ({ order: { userId: id } }, { ahead }) => (ahead ? { kind: 'order', ahead: id } : { kind: 'order', opened: id }),
  )
}
