import type { FastifyInstance } from 'fastify'
import { viewRoutes } from '#contract/views.ts'
import { mount } from '#server/http/mount.ts'
import { countValues, sumView } from './count.ts'
import { changeView, createView, deleteView, listViewsOf, shareView } from './views.ts'

export function registerViewRoutes(app: FastifyInstance): void {
  mount(app, viewRoutes.list, async (ctx, { query }) => listViewsOf(ctx, query.timeZone))

  mount(app, viewRoutes.counts, (ctx, { query }) => countValues(ctx, query))

  mount(app, viewRoutes.sums, (ctx, { query }) => sumView(ctx, query))

  mount(app, viewRoutes.create, async (ctx, { body }) => {
    const { id, version } = await createView(ctx, body)
    return { message: 'View saved', id, version }
  })

  mount(app, viewRoutes.change, async (ctx, { params, body, ifMatch }) => {
    const { id, version } = await changeView(ctx, params.id, body, ifMatch)
    return { message: 'View saved', id, version }
  })

  mount(app, viewRoutes.share, async (ctx, { params, body }) => {
    const { id, version } = await shareView(ctx, params.id, body.isShared)
    return { message: body.isShared ? 'View shared' : 'View no longer shared', id, version }
  })

  mount(app, viewRoutes.remove, async (ctx, { params }) => {
    await deleteView(ctx, params.id)
    return { message: 'View deleted' }
  })
}
