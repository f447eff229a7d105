import type { FastifyInstance } from 'fastify'
import { noticeRoutes } from '#contract/notices.ts'
import { mount } from '#server/http/mount.ts'
import { listMentions } from '#server/features/notes/service.ts'
import { countQueues, listNotices } from './notices.ts'

export function registerNoticeRoutes(app: FastifyInstance): void {
  mount(app, noticeRoutes.list, async (ctx) => ({
    notices: await listNotices(ctx),
    mentions: await listMentions(ctx),
    queues: await countQueues(ctx),
  }))
}
