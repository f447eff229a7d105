import type { FastifyInstance } from 'fastify'
import { activityRoutes } from '#contract/activity.ts'
import { mount } from '#server/http/mount.ts'
import { readMemberActivity, readOrderActivity } from './activity.ts'

export function registerActivityRoutes(app: FastifyInstance): void {
  mount(
    app,
    activityRoutes.member,
    async (ctx, { params, query }) => readMemberActivity(ctx, params.id, query),
    ({ memberId }) => ({ kind: 'member', opened: memberId }),
  )

  mount(
    app,
    activityRoutes.order,
    async (ctx, { params, query }) => readOrderActivity(ctx, params.id, query),
    ({ memberId }) => ({ kind: 'order', opened: memberId }),
  )
}
