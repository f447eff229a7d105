import type { FastifyInstance } from 'fastify'
import { deliveryRoutes } from '#contract/deliveries.ts'
import { mount } from '#server/http/mount.ts'
import { readDelivery } from './detail.ts'
import { eventEndpoint } from './endpoints.ts'
import { listDeliveries } from './list.ts'
import { resendDeliveries } from './resend.ts'

export function deliveriesDoor(app: FastifyInstance): void {
  mount(app, deliveryRoutes.list, async (ctx, { query }) => listDeliveries(ctx, query))

  mount(app, deliveryRoutes.endpoint, async (ctx) => eventEndpoint(ctx))

  mount(app, deliveryRoutes.detail, async (ctx, { params }) => readDelivery(ctx, params.id))

  mount(app, deliveryRoutes.resend, async (ctx, { body }) => resendDeliveries(ctx, body))
}
