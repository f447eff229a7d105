import type { FastifyInstance } from 'fastify'
import { factorLabels, factorRoutes } from '#contract/factors.ts'
import { readAskedHost } from '#server/http/hosts.ts'
import { mount } from '#server/http/mount.ts'
import { addPasskey, addTotp, beginPasskey, beginTotp, type AddedFactor } from './add-factor.ts'
import { createRecoveryCodes, removeFactor, renameFactor } from './change-factor.ts'
import { listFactors } from './list.ts'

const describeAdded = (added: AddedFactor) => ({ message: `${factorLabels[added.factor.kind]} added`, ...added })

export function registerFactorRoutes(app: FastifyInstance): void {
  mount(app, factorRoutes.list, async (ctx, { request }) => listFactors(ctx, readAskedHost(request, ctx.config)))

  mount(app, factorRoutes.beginPasskey, async (ctx, { request }) =>
    beginPasskey(ctx, readAskedHost(request, ctx.config)),
  )
  mount(app, factorRoutes.addPasskey, async (ctx, { body }) => describeAdded(await addPasskey(ctx, body)))

  mount(app, factorRoutes.beginTotp, async (ctx) => beginTotp(ctx))
  mount(app, factorRoutes.addTotp, async (ctx, { body }) => describeAdded(await addTotp(ctx, body)))

  mount(app, factorRoutes.rename, async (ctx, { params, body }) => {
    const factor = await renameFactor(ctx, params.id, body)
    return { message: `${factorLabels[factor.kind]} renamed`, factor }
  })

  mount(app, factorRoutes.remove, async (ctx, { params }) => {
    const { kind } = await removeFactor(ctx, params.id)
    return { message: `${factorLabels[kind]} removed` }
  })

  mount(app, factorRoutes.createRecoveryCodes, async (ctx) => ({
    message: 'New recovery codes made; the former ones no longer work',
    recoveryCodes: await createRecoveryCodes(ctx),
  }))
}
