import type { FastifyInstance, FastifyReply } from 'fastify'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import { mount } from '#server/http/mount.ts'
import { listWebhookLogs, webhookStats } from './logs.ts'
import { retryCase, submitCase } from './submit.ts'

export function webhooksDoor(app: FastifyInstance): void {
  // Tries that are under way when the console stops are given up; the queue makes them again. Who asked for one is told so
  // before the connections are cut.
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  app.addHook('preClose', async () => {
    stopping.abort()
    await Promise.all(underWay)
  })
  function stopFor({ raw }: FastifyReply): AbortSignal {
    const answered = new Promise<void>((resolve) => raw.once('close', resolve)).finally(() => underWay.delete(answered))
    underWay.add(answered)
    return stopping.signal
  }

  mount(app, kycWebhookRoutes.stats, async (ctx) => webhookStats(ctx))

  mount(app, kycWebhookRoutes.logs, async (ctx, { query }) => listWebhookLogs(ctx, query))

  mount(app, kycWebhookRoutes.submit, async (ctx, { body, reply }) => submitCase(ctx, body?.userId, stopFor(reply)))

  mount(app, kycWebhookRoutes.retry, async (ctx, { body, reply }) => retryCase(ctx, body?.userId, stopFor(reply)))
}
