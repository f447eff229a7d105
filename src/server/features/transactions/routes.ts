import type { FastifyInstance } from 'fastify'
import { transactionRoutes } from '#contract/transactions.ts'
import { mount } from '#server/http/mount.ts'
import { readChainFigures, listChainTransactions } from './monitor.ts'
import { listPlatformTransactions } from './platform.ts'

export function registerTransactionRoutes(app: FastifyInstance): void {
  mount(app, transactionRoutes.list, async (ctx, { query }) => listPlatformTransactions(ctx, query))

  mount(app, transactionRoutes.monitor, async (ctx, { query }) => listChainTransactions(ctx, query))

  mount(app, transactionRoutes.figures, async (ctx) => readChainFigures(ctx))
}
