import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '#contract/wallets.ts'
import { mount } from '#server/http/mount.ts'
import { walletBalance } from './balance.ts'

export function walletsDoor(app: FastifyInstance): void {
  mount(app, walletRoutes.balance, async (ctx, { params }) => walletBalance(ctx, params.walletAddress))
}
