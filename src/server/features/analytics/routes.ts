import type { FastifyInstance } from 'fastify'
import { analyticsRoutes } from '#contract/analytics.ts'
import { sendCsv } from '#server/http/csv.ts'
import { mount } from '#server/http/mount.ts'
import { exportReport, getAnalytics, getRegistrations } from './analytics.ts'

export function registerAnalyticsRoutes(app: FastifyInstance): void {
  mount(app, analyticsRoutes.figures, async (ctx, { query }) => getAnalytics(ctx, query.timeZone))

  mount(app, analyticsRoutes.registrations, async (ctx, { query }) =>
    getRegistrations(ctx, query.period, query.timeZone),
  )

  mount(app, analyticsRoutes.report, async (ctx, { query, reply }) => {
    const { fileName, content } = await exportReport(ctx, query.timeZone)
    return sendCsv(reply, fileName, content)
  })
}
