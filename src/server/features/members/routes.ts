import type { FastifyInstance } from 'fastify'
import { kycUpdated } from '#contract/kyc-moves.ts'
import { memberRoutes } from '#contract/members.ts'
import { mountApprovable } from '#server/features/approvals/service.ts'
import { decideMemberKyc } from '#server/features/kyc/service.ts'
import { mount } from '#server/http/mount.ts'
import { findMemberTarget } from './approval-target.ts'
import { banMember, unbanMember } from './ban.ts'
import { getMemberDetail } from './detail.ts'
import { listMembers } from './list.ts'

export function registerMemberRoutes(app: FastifyInstance): void {
  mount(
    app,
    memberRoutes.list,
    async (ctx, { query }) => listMembers(ctx, query),
    ({ users }) => ({ kind: 'members', listed: users.map(({ id }) => id) }),
  )

  mount(
    app,
    memberRoutes.detail,
    async (ctx, { params }) => getMemberDetail(ctx, params.id),
    ({ user }) => ({ kind: 'member', opened: user.id }),
  )

  mountApprovable(app, memberRoutes.ban, {
    action: () => 'ban_user',
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const member = await banMember(ctx, params.id, { reason: body?.reason, ifMatch })
      return { message: 'User has been banned successfully', user: member }
    },
  })

  mountApprovable(app, memberRoutes.unban, {
    action: () => 'unban_user',
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, ifMatch }) => {
      const member = await unbanMember(ctx, params.id, ifMatch)
      return { message: 'User has been unbanned successfully', user: member }
    },
  })

  mountApprovable(app, memberRoutes.decideKyc, {
    action: ({ params }) => `${params.action}_kyc` as const,
    findTarget: (db, { params }) => findMemberTarget(db, params.id),
    run: async (ctx, { params, body, ifMatch }) => {
      const member = await decideMemberKyc(ctx, params.id, { ...body, action: params.action }, ifMatch)
      return { message: kycUpdated, user: member }
    },
  })
}
