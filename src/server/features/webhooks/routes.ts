import type { FastifyInstance } from 'fastify'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import { mount } from '#server/mount.ts'
import { listWebhookLogs, retryCase, submitCase, webhookStats } from './service.ts'

export function webhooksDoor(app: FastifyInstance): void {
  // Tries that are under way when the console stops are given up; the queue makes them again.
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())

  mount(app, kycWebhookRoutes.stats, async (ctx) => webhookStats(ctx))

  mount(app, kycWebhookRoutes.logs, async (ctx, { query }) => listWebhookLogs(ctx, query))

  mount(app, kycWebhookRoutes.submit, async (ctx, { body }) => submitCase(ctx, body?.userId, stopping.signal))

  mount(app, kycWebhookRoutes.retry, async (ctx, { body }) => retryCase(ctx, body?.userId, stopping.signal))
}
