import type { FastifyInstance } from 'fastify'
import { treasuryRoutes, treasuryTexts } from '#contract/treasury.ts'
import { mount } from '#server/http/mount.ts'
import { readTreasury, refreshTreasury } from './treasury.ts'
import { addTreasuryWallet, removeTreasuryWallet, updateTreasuryWallet } from './wallets.ts'

export function registerTreasuryRoutes(app: FastifyInstance): void {
  mount(app, treasuryRoutes.read, async (ctx) => readTreasury(ctx))

  mount(app, treasuryRoutes.refresh, async (ctx) => refreshTreasury(ctx))

  mount(app, treasuryRoutes.addWallet, async (ctx, { body }) => ({
    message: treasuryTexts.added,
    wallet: await addTreasuryWallet(ctx, body),
  }))

  mount(app, treasuryRoutes.updateWallet, async (ctx, { params, body, ifMatch }) => ({
    message: treasuryTexts.saved,
    wallet: await updateTreasuryWallet(ctx, params.id, body, ifMatch),
  }))

  mount(app, treasuryRoutes.removeWallet, async (ctx, { params, ifMatch }) => {
    await removeTreasuryWallet(ctx, params.id, ifMatch)
    return { message: treasuryTexts.removed }
  })
}
