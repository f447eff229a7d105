import type { FastifyInstance } from 'fastify'
import { analyticsRoutes } from '#contract/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { sendCsv } from '#server/http/csv.ts'
import { mount } from '#server/http/mount.ts'
import { readKycWaits } from '#server/features/kyc/service.ts'
import { readPipeline } from '#server/features/orders/service.ts'
import { exportReport, getAnalytics, getRegistrations } from './analytics.ts'
import { readMessageHealth, readTransfers, readTrends, readWaiting } from './dashboard.ts'

/** The context in which figures are read. */
const forFigures = async (ctx: Ctx): Promise<Ctx> => ({ ...ctx, database: await ctx.database.findReader() })

export function registerAnalyticsRoutes(app: FastifyInstance): void {
  mount(app, analyticsRoutes.figures, async (ctx, { query }) => getAnalytics(await forFigures(ctx), query.timeZone))

  mount(app, analyticsRoutes.waiting, async (ctx) => readWaiting(ctx))

  mount(app, analyticsRoutes.trends, async (ctx, { query }) => readTrends(await forFigures(ctx), query.timeZone))

  mount(app, analyticsRoutes.registrations, async (ctx, { query }) =>
    getRegistrations(await forFigures(ctx), query.period, query.timeZone, query.compare),
  )

  mount(app, analyticsRoutes.kycWaits, async (ctx) => readKycWaits(await forFigures(ctx)))

  mount(app, analyticsRoutes.orders, async (ctx) => readPipeline(await forFigures(ctx)))

  mount(app, analyticsRoutes.transfers, async (ctx, { query }) =>
    readTransfers(await forFigures(ctx), query.period, query.timeZone, query.compare),
  )

  mount(app, analyticsRoutes.messages, async (ctx) => readMessageHealth(ctx))

  mount(app, analyticsRoutes.report, async (ctx, { query, reply }) => {
    const { fileName, content } = await exportReport(ctx, query.timeZone)
    return sendCsv(reply, fileName, content)
  })
}
