import type { FastifyInstance } from 'fastify'
import { kycUpdated } from '#contract/kyc-moves.ts'
import { userRoutes } from '#contract/users.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { decideMemberKyc } from '#server/features/kyc/service.ts'
import { mount } from '#server/http/mount.ts'
import { findMemberTarget } from './approval-target.ts'
import { banMember, unbanMember } from './members.ts'
import { getUserDetail, listViewers } from './detail.ts'
import { listUsers } from './list.ts'

export function registerUserRoutes(app: FastifyInstance): void {
  mount(
    app,
    userRoutes.list,
    async (ctx, { query }) => listUsers(ctx, query),
    ({ users }) => ({ kind: 'members', listed: users.map(({ id }) => id) }),
  )

  mount(
    app,
    userRoutes.detail,
    async (ctx, { params }) => getUserDetail(ctx, params.id),
    ({ user }) => ({ kind: 'member', opened: user.id }),
  )

  mount(app, userRoutes.viewers, async (ctx, { params }) => ({ viewers: await listViewers(ctx, params.id) }))

  mountApprovable(app, userRoutes.ban, {
    action: () => 'ban_user',
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const user = await banMember(ctx, params.id, { reason: body?.reason, ifMatch })
      return { message: 'User has been banned successfully', user }
    },
  })

  mountApprovable(app, userRoutes.unban, {
    action: () => 'unban_user',
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, ifMatch }) => {
      const user = await unbanMember(ctx, params.id, ifMatch)
      return { message: 'User has been unbanned successfully', user }
    },
  })

  mountApprovable(app, userRoutes.decideKyc, {
    action: ({ params }) => `${params.action}_kyc` as const,
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const user = await decideMemberKyc(ctx, params.id, { ...body, action: params.action }, ifMatch)
      return { message: kycUpdated, user }
    },
  })
}
