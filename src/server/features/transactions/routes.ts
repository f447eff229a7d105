import type { FastifyInstance } from 'fastify'
import { transactionRoutes } from '#contract/transactions.ts'
import { mount } from '#server/http/mount.ts'
import { readChainFigures, listChainTransactions } from './monitor.ts'
import { listPlatformTransactions } from './platform.ts'

interface Sides {
  user: { id: string } | null
  counterparty?: { user: { id: string } | null } | null
}
/** The members on both sides. */
const findRead = ({ transactions }: { transactions: Sides[] }) => ({
  kind: 'transactions' as const,
  listed: transactions.flatMap(({ user, counterparty }) => [user?.id ?? [], counterparty?.user?.id ?? []].flat()),
})

export function registerTransactionRoutes(app: FastifyInstance): void {
  mount(app, transactionRoutes.list, async (ctx, { query }) => listPlatformTransactions(ctx, query), findRead)

  mount(app, transactionRoutes.monitor, async (ctx, { query }) => listChainTransactions(ctx, query), findRead)

  mount(app, transactionRoutes.figures, async (ctx) => readChainFigures(ctx))
}
