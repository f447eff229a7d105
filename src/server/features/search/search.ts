import { searchPermissions, type SearchGroup } from '#contract/search.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { invalidField } from '#server/lib/errors.ts'
import { findBankLines } from './bank-lines.ts'
import { findNotes } from './notes.ts'
import {
  findMembers,
  findOrders,
  findPlatformTransactions,
  findTokens,
  findTransactions,
  selectMembers,
  selectOrders,
} from './statements.ts'
import { parseSearchText } from '#server/search/search-terms.ts'
import type { Statement } from './matches.ts'

/** The hits of every group, in parallel. A group without a statement, or that the admin may not view, has none. */
async function readGroups(ctx: Ctx, statements: Partial<Record<SearchGroup, Statement | null>>): Promise<SearchReply> {
  const find = async <Group extends SearchGroup>(group: Group) => {
    const statement = statements[group]
    if (!statement || !hasPermission(ctx, searchPermissions[group])) return []
    return (await ctx.reads.query<SearchReply[Group][number]>(statement)).rows
  }
  const [members, orders, bankLines, notes, platformTransactions, transactions, tokens] = await Promise.all([
    find('members'),
    find('orders'),
    find('bankLines'),
    find('notes'),
    find('platformTransactions'),
    find('transactions'),
    find('tokens'),
  ])
  return { members, orders, bankLines, notes, platformTransactions, transactions, tokens }
}

/** The best hits of each kind: exact matches first, then matches at the beginning, then the newest. */
export async function search(ctx: Ctx, q: string): Promise<SearchReply> {
  const terms = parseSearchText(q)
  if (terms.text === '') throw invalidField('q', 'must not be blank')
  return readGroups(ctx, {
    members: findMembers(terms),
    orders: findOrders(terms),
    bankLines: findBankLines(terms),
    notes: findNotes(ctx, terms),
    platformTransactions: findPlatformTransactions(terms),
    transactions: findTransactions(terms),
    tokens: findTokens(terms),
  })
}

/** Members and orders that an operator opened recently, in the order of the ids. */
export const findRecent = (ctx: Ctx, ids: { members: string[]; orders: string[] }): Promise<SearchReply> =>
  readGroups(ctx, {
    members: ids.members.length > 0 ? selectMembers(ids.members) : null,
    orders: ids.orders.length > 0 ? selectOrders(ids.orders) : null,
  })
