import type { SearchGroup, SearchReply } from '#contract/search.ts'
import type { Ctx } from '#server/context.ts'
import { invalidField } from '#server/errors.ts'
import { findMembers, findOrders, findTokens, findTransactions, type Statement } from './statements.ts'
import { readTyped } from './typed.ts'

/** The best few of each kind that fit what was typed: exact ones first, then those that begin with it, then the newest. */
export async function search({ database: { pool } }: Ctx, q: string): Promise<SearchReply> {
  const typed = readTyped(q)
  if (typed.text === '') throw invalidField('q', 'must not be blank')
  const find = async <Group extends SearchGroup>(statement: Statement | null) =>
    statement ? (await pool.query<SearchReply[Group][number]>(statement)).rows : []
  const [members, orders, transactions, tokens] = await Promise.all([
    find<'members'>(findMembers(typed)),
    find<'orders'>(findOrders(typed)),
    find<'transactions'>(findTransactions(typed)),
    find<'tokens'>(findTokens(typed)),
  ])
  return { members, orders, transactions, tokens }
}
