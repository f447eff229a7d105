import type { FastifyInstance, FastifyReply } from 'fastify'
import { kycWebhookRoutes } from '#contract/kyc-webhooks.ts'
import { mount } from '#server/http/mount.ts'
import { listWebhookLogs, readWebhookStats } from './logs.ts'
import { retryCase, submitCase } from './submit.ts'

export function registerKycWebhookRoutes(app: FastifyInstance): void {
  // A stop aborts tries under way, which the queue repeats. Their callers get an answer before the connections are closed.
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  app.addHook('preClose', async () => {
    stopping.abort()
    await Promise.all(underWay)
  })
  function trackReply({ raw }: FastifyReply): AbortSignal {
    const answered = new Promise<void>((resolve) => raw.once('close', resolve)).finally(() => underWay.delete(answered))
    underWay.add(answered)
    return stopping.signal
  }

  mount(app, kycWebhookRoutes.stats, async (ctx) => readWebhookStats(ctx))

  mount(app, kycWebhookRoutes.logs, async (ctx, { query }) => listWebhookLogs(ctx, query))

  mount(app, kycWebhookRoutes.submit, async (ctx, { body, reply }) => submitCase(ctx, body?.userId, trackReply(reply)))

  mount(app, kycWebhookRoutes.retry, async (ctx, { body, reply }) => retryCase(ctx, body?.userId, trackReply(reply)))
}
