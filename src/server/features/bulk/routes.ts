import type { FastifyInstance } from 'fastify'
import { bulkRoutes } from '#contract/bulk.ts'
import { sendCsv } from '#server/http/csv.ts'
import { mount } from '#server/http/mount.ts'
import { seeBulk, startBulk, stopBulk } from './control.ts'
import { listBulkItems, listBulkJobs, readBulkJob } from './list.ts'
import { prepareBulk } from './prepare.ts'
import { exportResult } from './result.ts'

function findMembers(rows: readonly { user: { id: string } | null }[]) {
  const listed = rows.flatMap(({ user }) => user?.id ?? [])
  return listed.length === 0 ? null : { kind: 'members' as const, listed }
}

export function registerBulkRoutes(app: FastifyInstance): void {
  mount(app, bulkRoutes.list, async (ctx, { query }) => listBulkJobs(ctx, query))

  mount(
    app,
    bulkRoutes.prepare,
    async (ctx, { body }) => prepareBulk(ctx, body),
    ({ sample }) => findMembers(sample),
  )

  mount(app, bulkRoutes.detail, async (ctx, { params }) => ({
    job: await readBulkJob(ctx.database.db, ctx, params.id),
  }))

  mount(
    app,
    bulkRoutes.items,
    async (ctx, { params, query }) => listBulkItems(ctx, params.id, query),
    ({ items }) => findMembers(items),
  )

  mount(app, bulkRoutes.start, async (ctx, { params, body }) => ({
    message: 'The bulk job has started',
    job: await startBulk(ctx, params.id, body?.reason),
  }))

  mount(app, bulkRoutes.stop, async (ctx, { params }) => ({
    message: 'The bulk job was stopped',
    job: await stopBulk(ctx, params.id),
  }))

  mount(app, bulkRoutes.see, async (ctx, { params }) => seeBulk(ctx, params.id))

  mount(app, bulkRoutes.result, async (ctx, { params, reply }) => {
    const { fileName, content } = await exportResult(ctx, params.id)
    return sendCsv(reply, fileName, content)
  })
}
