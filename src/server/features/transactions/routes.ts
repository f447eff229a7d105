import type { FastifyInstance } from 'fastify'
import { transactionRoutes } from '#contract/transactions.ts'
import { mount } from '#server/http/mount.ts'
import { readChainFigures, listChainTransactions } from './monitor.ts'
import { listPlatformTransactions } from './platform.ts'

const findRead = ({ transactions }: { transactions: { user: { id: string } | null }[] }) => ({
  kind: 'transactions' as const,
  listed: transactions.flatMap(({ user }) => (user ? [user.id] : [])),
})

export function registerTransactionRoutes(app: FastifyInstance): void {
  mount(app, transactionRoutes.list, async (ctx, { query }) => listPlatformTransactions(ctx, query), findRead)

  mount(app, transactionRoutes.monitor, async (ctx, { query }) => listChainTransactions(ctx, query), findRead)

  mount(app, transactionRoutes.figures, async (ctx) => readChainFigures(ctx))
}
