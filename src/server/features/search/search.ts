import type { SearchGroup } from '#contract/search.ts'
import type { SearchReply } from '#contract/schemas/search.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import type { Reads } from '#server/db/reads.ts'
import { invalidField } from '#server/lib/errors.ts'
import { findBankLines } from './bank-lines.ts'
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

/** The hits of every group, in parallel. A group without a statement has none. */
async function readGroups(
  reads: Reads,
  statements: Partial<Record<SearchGroup, Statement | null>>,
): Promise<SearchReply> {
  const find = async <Group extends SearchGroup>(group: Group) => {
    const statement = statements[group]
    return statement ? (await reads.query<SearchReply[Group][number]>(statement)).rows : []
  }
  const [members, orders, bankLines, platformTransactions, transactions, tokens] = await Promise.all([
    find('members'),
    find('orders'),
    find('bankLines'),
    find('platformTransactions'),
    find('transactions'),
    find('tokens'),
  ])
  return { members, orders, bankLines, platformTransactions, transactions, tokens }
}

/** The best hits of each kind: exact matches first, then matches at the beginning, then the newest. */
export async function search(ctx: Ctx, q: string): Promise<SearchReply> {
  const terms = parseSearchText(q)
  if (terms.text === '') throw invalidField('q', 'must not be blank')
  return readGroups(ctx.reads, {
    members: findMembers(terms),
    orders: findOrders(terms),
    bankLines: hasPermission(ctx, 'bank.view') ? findBankLines(terms) : null,
    platformTransactions: findPlatformTransactions(terms),
    transactions: findTransactions(terms),
    tokens: findTokens(terms),
  })
}

/** Members and orders that an operator opened recently, in the order of the ids. */
export const findRecent = ({ reads }: Ctx, ids: { members: string[]; orders: string[] }): Promise<SearchReply> =>
  readGroups(reads, {
    members: ids.members.length > 0 ? selectMembers(ids.members) : null,
    orders: ids.orders.length > 0 ? selectOrders(ids.orders) : null,
  })
