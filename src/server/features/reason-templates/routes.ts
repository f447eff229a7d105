import type { FastifyInstance } from 'fastify'
import { templateRoutes } from '#contract/reason-templates.ts'
import { mount } from '#server/http/mount.ts'
import { changeTemplate, createTemplate, deleteTemplate, listTemplates } from './templates.ts'

export function registerTemplateRoutes(app: FastifyInstance): void {
  mount(app, templateRoutes.list, async (ctx) => ({ templates: await listTemplates(ctx) }))

  mount(app, templateRoutes.create, async (ctx, { body }) => ({
    message: 'Template saved',
    template: await createTemplate(ctx, body),
  }))

  mount(app, templateRoutes.change, async (ctx, { params, body, ifMatch }) => ({
    message: 'Template saved',
    template: await changeTemplate(ctx, params.id, body, ifMatch),
  }))

  mount(app, templateRoutes.remove, async (ctx, { params }) => {
    await deleteTemplate(ctx, params.id)
    return { message: 'Template deleted' }
  })
}
