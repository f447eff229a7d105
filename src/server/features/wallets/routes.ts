import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '#contract/wallets.ts'
import { mount } from '#server/http/mount.ts'
import { readWalletBalance } from './balance.ts'

export function registerWalletRoutes(app: FastifyInstance): void {
  mount(app, walletRoutes.balance, async (ctx, { params }) => readWalletBalance(ctx, params.walletAddress))
}
