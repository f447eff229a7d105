import type { RecentTransaction } from '#contract/transactions.ts'
import type { Ctx } from '#server/context.ts'
import { type ListDesign, type PageWanted, readPage } from '#server/db/list.ts'
import { expressions, jsonObject } from '#server/db/select.ts'
import { platformTransactions } from '#server/db/tables/transactions.ts'
import { members } from '#server/db/tables/users.ts'

export { askChainTransactions, chainFigures, listChainTransactions } from './monitor.ts'
export { rescaleTransfers } from './rescale.ts'

const { id, type, amount, status, createdAt } = platformTransactions
const { email, legalFirstName, legalLastName } = members
const memberRef = { id: members.id, email, legalFirstName, legalLastName }

const design: ListDesign = {
  name: 'transactions',
  table: 'platform_transactions',
  at: 'created_at',
  select: { ...expressions({ id, type, amount, status, createdAt }, 't'), user: jsonObject(memberRef, 'm') },
  join: 'JOIN members m ON m.id = t.member_id',
}

/** Platform transactions of all members, newest first, with whose they are. */
export async function listTransactions({ database }: Ctx, { page, limit }: PageWanted) {
  const { rows: transactions, total } = await readPage<RecentTransaction>(database.pool, design, { page, limit })
  return { transactions, total, totalExact: true, page, limit }
}
