import type { FastifyInstance } from 'fastify'
import { messageRoutes } from '#contract/messages.ts'
import { endpointRoutes } from '#contract/endpoints.ts'
import { mount } from '#server/http/mount.ts'
import { readMessage } from './detail.ts'
import {
  createEndpoint,
  deleteEndpoint,
  endOldSecret,
  resumeEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoint-changes.ts'
import { eventEndpoint, readEndpoints } from './endpoints.ts'
import { listMessages } from './list.ts'
import { resendSelection } from './resend.ts'
import { testEndpoint } from './test-events.ts'

export function registerMessageRoutes(app: FastifyInstance): void {
  mount(app, messageRoutes.list, async (ctx, { query }) => listMessages(ctx, query))

  mount(app, messageRoutes.endpoint, async (ctx) => eventEndpoint(ctx))

  mount(app, messageRoutes.detail, async (ctx, { params }) => readMessage(ctx, params.id))

  mount(app, messageRoutes.resend, async (ctx, { body }) => resendSelection(ctx, body))
}

export function registerEndpointRoutes(app: FastifyInstance): void {
  mount(app, endpointRoutes.list, async (ctx) => ({ endpoints: await readEndpoints(ctx) }))

  mount(app, endpointRoutes.create, async (ctx, { body }) => createEndpoint(ctx, body))

  mount(app, endpointRoutes.update, async (ctx, { params: { id }, body, ifMatch }) => ({
    message: 'The endpoint was changed',
    endpoint: await updateEndpoint(ctx, id, body, ifMatch),
  }))

  mount(app, endpointRoutes.remove, async (ctx, { params: { id }, query, ifMatch }) => {
    const { dropped } = await deleteEndpoint(ctx, id, { dropsOpen: query.dropOpen === 'true', ifMatch })
    return { message: 'The endpoint was deleted', dropped }
  })

  mount(app, endpointRoutes.rotateSecret, async (ctx, { params: { id }, ifMatch }) => rotateSecret(ctx, id, ifMatch))

  mount(app, endpointRoutes.endOldSecret, async (ctx, { params: { id }, ifMatch }) => ({
    message: 'The new secret signs alone',
    endpoint: await endOldSecret(ctx, id, ifMatch),
  }))

  mount(app, endpointRoutes.resume, async (ctx, { params: { id } }) => ({
    message: 'Events go out again',
    endpoint: (await resumeEndpoint(ctx, id)).endpoint,
  }))

  mount(app, endpointRoutes.test, async (ctx, { params: { id } }) => ({
    message: 'The test event goes out now',
    eventId: await testEndpoint(ctx, id),
  }))
}
